//! What sentences say: of whom, whether it is denied, and its terms.

use super::handed::{self, Handed};
use super::owner::{self, Whose, announces, begins_with_them};
use super::pieces::{Joint, Piece, pieces};
use super::unquoted::unquoted;
use crate::memory::judge::asks;
use crate::memory::likeness::{is_negated, language};
use crate::memory::words::{self, WHO_IN_CHINESE};
use crate::text::{Language, sentences, terms};
use std::collections::BTreeSet;

/// What a model says beside: who it is about, what follows from the form, and what denies.
const OURS: [&str; 33] = [
    "user", "users", "prefer", "prefers", "like", "likes", "want", "wants", "use", "uses", "work",
    "name", "call", "live", "current", "speak", "love", "enjoy", "hate", "dislik", "dislike",
    "avoid", "longer", "anymor", "anymore", "instead", "now", "pleas", "please", "rememb",
    "remember", "alway", "always",
];
const OURS_IN_CHINESE: [&str; 3] = ["偏好", "目前", "当前"];

/// What denies besides what a fact is known to be denied by.
const DENYING: [&str; 3] = ["avoid", "avoids", "without"];

/// The longest sentence that is looked at, in bytes: no fact is as long.
const MOST_BYTES: usize = 2_000;

/// What a piece of a sentence says.
#[derive(Debug)]
pub(super) struct Clause {
    pub(super) whose: Whose,
    pub(super) is_negated: bool,
    pub(super) terms: BTreeSet<String>,
}

/// What each sentence of the person's says. Questions say nothing, but for what the person says
/// of themselves before they ask; a text that is to be worked on says nothing of them.
pub(super) fn of_person(text: &str) -> Vec<Vec<Clause>> {
    let text = unquoted(text).replace('’', "'");
    let of = language(&text);
    let lines = text.lines().flat_map(|line| sentences(line, of));
    let mut found: Vec<Vec<Clause>> = Vec::new();
    let mut last: Option<Whose> = None;
    let mut is_announced = false;
    for sentence in lines.filter(|it| it.len() <= MOST_BYTES) {
        let all = pieces(sentence.trim_end_matches(['.', '。', '!', '！']));
        let handed: Vec<Handed> = all.iter().map(handed).collect();
        if handed.contains(&Handed::Around) {
            found.clear();
            is_announced = true;
        }
        let of = language(&unowned(sentence));
        let mut clauses: Vec<Clause> = Vec::new();
        let mut before = String::new();
        let mut is_handed = false;
        for (piece, handed) in stated(&all, sentence).iter().zip(&handed) {
            // What somebody is to translate is no word of their own, however long it goes on.
            is_handed |= *handed != Handed::Nothing;
            let said = clauses.last().map(|it| &it.whose).or(last.as_ref());
            is_announced |= piece.joint == Joint::Colon && !announces(&before, said, piece.words);
            let whose = if is_announced || is_handed {
                Whose::Nobodys
            } else {
                owner::of_words(piece, said)
            };
            clauses.push(clause(piece, whose, clauses.last(), of));
            before.push_str(piece.words);
        }
        // Nothing behind it comes back to them, either.
        last = clauses.last().map(|it| it.whose.clone()).or(last);
        is_announced |= handed.contains(&Handed::Behind)
            || sentence.ends_with([':', '：']) && !announces(sentence, last.as_ref(), "");
        found.push(clauses);
    }
    found
}

fn handed(piece: &Piece<'_>) -> Handed {
    let lower = piece.words.to_lowercase();
    handed::handed(&lower, &words::words(&lower).collect::<Vec<_>>())
}

/// What a fact says.
pub(super) fn of_fact(fact: &str) -> Vec<Clause> {
    let fact = fact.replace('’', "'");
    let of = language(&unowned(&fact));
    let mut clauses: Vec<Clause> = Vec::new();
    for piece in pieces(fact.trim_end_matches(['.', '。'])) {
        let whose = owner::of_fact(&piece, clauses.last().map(|it| &it.whose));
        clauses.push(clause(&piece, whose, clauses.last(), of));
    }
    clauses
}

/// The pieces of a sentence that state something.
fn stated<'a, 'b>(all: &'b [Piece<'a>], sentence: &str) -> &'b [Piece<'a>] {
    if !asks(sentence) {
        return all;
    }
    let begins = all.first().is_some_and(|it| begins_with_them(it.words));
    // What is asked begins behind the last mark.
    let apart = |it: &Piece<'_>| matches!(it.joint, Joint::Mark | Joint::But | Joint::Colon);
    let question = all.iter().rposition(apart).filter(|_| begins);
    all.get(..question.unwrap_or_default()).unwrap_or_default()
}

fn clause(piece: &Piece<'_>, whose: Whose, before: Option<&Clause>, of: Language) -> Clause {
    let lower = piece.words.to_lowercase();
    let words: Vec<&str> = words::words(&lower).collect();
    let denies = |word: &&str| DENYING.contains(word) || word.ends_with("n't");
    let is_negated = piece.joint == Joint::Not
        || is_negated(&lower)
        || words.iter().any(denies)
        // "I don't eat meat or fish": not for a verb of its own, which says something anew.
        || piece.joint == Joint::And
            && !words.first().is_some_and(|it| OURS.contains(it) || *it == "i")
            && before.is_some_and(|it| it.is_negated && it.whose == whose)
        || piece.joint == Joint::Mark
            && words.len() < 3
            && of != Language::Chinese
            && before.is_some_and(|it| it.is_negated && it.whose == whose);
    Clause {
        whose,
        is_negated,
        terms: terms_of(&lower, of),
    }
}

/// The words of a sentence but for those that say who.
fn unowned(text: &str) -> String {
    let mut text = text.to_lowercase();
    for ours in WHO_IN_CHINESE.into_iter().chain(OURS_IN_CHINESE) {
        text = text.replace(ours, " ");
    }
    text
}

fn terms_of(lower: &str, of: Language) -> BTreeSet<String> {
    let ours = |term: &String| OURS.contains(&term.as_str());
    // A pair of characters says what its characters say: those alone are too little.
    let little = |term: &String| {
        let mut letters = term.chars();
        let first = letters.next().unwrap_or_default();
        ('一'..='鿿').contains(&first) && letters.next().is_none()
    };
    let all = terms(&unowned(lower), of).into_iter();
    all.filter(|term| !ours(term) && !little(term)).collect()
}
