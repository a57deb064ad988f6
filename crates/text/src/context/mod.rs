//! The sentences of a page that help to explain a selection.
//!
//! Driving example: "WHO" is selected; long before, the page spoke of "the World
//! Health Organization (WHO), an agency of the United Nations". Deliberately by
//! pattern and likeness only: it finds where the page explains itself and never
//! explains anything.

mod abbreviation;
mod definition;
mod mention;

use super::language::length;
use super::vector::{Space, Vector};
use super::{Language, terms};
use mention::{Term, lowered};

/// Selections of more terms than this are passages: others relate to them, none
/// uses them.
const MAX_TERMS: usize = 6;

/// Sentences less alike than this to a passage are not about the same.
const RELATED: f64 = 0.12;

/// What defines less surely than this only uses: "monitoring is useless".
const DEFINES: f64 = 0.5;

/// A use of fewer words than this is a title.
const SHORTEST_USE: f64 = 4.0;

/// From this on a sentence is the selected one over again.
const SAME: f64 = 0.95;

/// What a sentence does for the selection, the most helpful first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// It says what the selection is.
    Definition,
    /// It spells the abbreviation out, or abbreviates the selected name.
    Expansion,
    /// It is where the selection was made; others have it too.
    Here,
    /// It uses the selection.
    Use,
    /// It is where the selection was made, and the only one that has it.
    OnlyHere,
    /// It stands right before or after the selection.
    Beside,
    /// It is about the same.
    Related,
}

/// A sentence that helps to explain the selection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finding {
    /// Its position among the sentences.
    pub sentence: usize,
    /// What it does.
    pub reason: Reason,
    /// How well, above 0 and at most 1; comparable within one reason only.
    pub score: f64,
}

/// The `sentences` of a page that explain the selected text. For a term: those that
/// define it, those that spell it out, the one it was selected in, its first use and the
/// others; if it stands nowhere else, that one and those beside it. For a sentence or
/// a passage: those beside it, then those most like it elsewhere. `around` is the block
/// it was selected in, if that is known. Best first, ties in the order of the page.
pub fn about(
    selection: &str,
    around: Option<&str>,
    sentences: &[&str],
    language: Language,
) -> Vec<Finding> {
    let selection = selection.trim_matches(|c: char| !c.is_alphanumeric());
    if selection.is_empty() {
        return Vec::new();
    }
    let around = around.map(lowered);
    let mut found = Vec::new();
    if is_term(selection, sentences, language) {
        let term = Term::new(selection, language);
        found = explained(&term, around.as_deref(), sentences);
    }
    if found.is_empty() {
        found = in_context(selection, sentences, language);
    }
    found.sort_unstable_by(|a, b| {
        let order = a.reason.cmp(&b.reason).then(b.score.total_cmp(&a.score));
        order.then(a.sentence.cmp(&b.sentence))
    });
    found
}

/// How surely `sentence` defines `term` or spells it out, 0 to 1.
pub(super) fn defines(term: &str, sentence: &str, language: Language) -> f64 {
    let term = Term::new(term, language);
    let defined = definition::strength(&term, sentence).unwrap_or(0.0);
    defined.max(abbreviation::strength(&term, sentence).unwrap_or(0.0))
}

/// A word or a name rather than a sentence or more.
fn is_term(selection: &str, sentences: &[&str], language: Language) -> bool {
    let words = terms(selection, language).len();
    let limit = match language {
        // Single characters and pairs: two terms for each character.
        Language::Chinese => 3 * MAX_TERMS,
        Language::English | Language::Other => MAX_TERMS,
    };
    let is_whole =
        |sentence: &&str| sentence.trim_matches(|c: char| !c.is_alphanumeric()) == selection;
    words <= limit && !sentences.iter().any(is_whole)
}

fn explained(term: &Term<'_>, around: Option<&str>, sentences: &[&str]) -> Vec<Finding> {
    let with: Vec<usize> = (0..)
        .zip(sentences)
        .filter(|(_, sentence)| term.is_in(sentence))
        .map(|(at, _)| at)
        .collect();
    // Only those that mention it are compared: a long page costs no more.
    let texts = with.iter().filter_map(|at| sentences.get(*at).copied());
    let (space, users) = Space::new(texts, term.language);
    let typical = space.centroid(&users);
    let is_here = |at: usize| {
        let sentence = sentences.get(at).copied().map(lowered).unwrap_or_default();
        around.is_some_and(|around| around.contains(&sentence) || sentence.contains(around))
    };
    let elsewhere = with.iter().filter(|at| !is_here(**at)).count();
    let mut is_first = true;
    let mut found = Vec::new();
    for (at, vector) in with.iter().copied().zip(&users) {
        let sentence = sentences.get(at).copied().unwrap_or_default();
        let (reason, score) = match (
            definition::strength(term, sentence),
            abbreviation::strength(term, sentence),
        ) {
            (_, Some(score)) if term.is_abbreviation() => (Reason::Expansion, score),
            (Some(score), _) if score >= DEFINES => (Reason::Definition, score),
            (_, Some(score)) => (Reason::Expansion, score),
            (_, None) if elsewhere == 0 || with.len() == 1 => (Reason::OnlyHere, 1.0),
            (_, None) if is_here(at) => (Reason::Here, 1.0),
            // A title shows nothing of its use.
            (_, None) if length(sentence) < SHORTEST_USE => continue,
            (_, None) if is_first => (Reason::Use, 1.0),
            (_, None) => (Reason::Use, 0.05 + 0.9 * typical.cosine(vector)),
        };
        is_first &= reason == Reason::Here;
        found.push(Finding {
            sentence: at,
            reason,
            score,
        });
    }
    let here = || found.iter().filter(|f| f.reason == Reason::OnlyHere);
    let (first, last) = (here().next(), here().next_back());
    if let (Some(first), Some(last)) = (first, last) {
        let (first, last) = (first.sentence, last.sentence);
        found.extend(beside(first, last, &with, sentences.len()));
    }
    found
}

/// The sentences before the first and after the last, unless they are `known`.
fn beside(first: usize, last: usize, known: &[usize], all: usize) -> impl Iterator<Item = Finding> {
    let neighbours = [first.checked_sub(1), Some(last + 1).filter(|at| *at < all)];
    let new = |at: &usize| !known.contains(at);
    let places: Vec<usize> = neighbours.into_iter().flatten().filter(new).collect();
    places.into_iter().map(|sentence| Finding {
        sentence,
        reason: Reason::Beside,
        score: 1.0,
    })
}

/// What stands around a passage, and what is like it elsewhere.
fn in_context(selection: &str, sentences: &[&str], language: Language) -> Vec<Finding> {
    let selected = lowered(selection);
    let bare = |sentence: &&str| {
        let lowered = lowered(sentence);
        let bare = lowered.trim_matches(|c: char| !c.is_alphanumeric());
        bare.to_owned()
    };
    let is_of_it = |sentence: &&str| {
        let sentence = bare(sentence);
        !sentence.is_empty() && (selected.contains(&sentence) || sentence.contains(&selected))
    };
    let of_it: Vec<usize> = (0..)
        .zip(sentences)
        .filter(|(_, sentence)| is_of_it(sentence))
        .map(|(at, _)| at)
        .collect();
    let (space, vectors) = Space::new(sentences.iter().copied(), language);
    let mut found = Vec::new();
    if let (Some(first), Some(last)) = (of_it.first(), of_it.last()) {
        found.extend(beside(*first, *last, &of_it, sentences.len()));
    }
    let near: Vec<usize> = found.iter().map(|finding| finding.sentence).collect();
    let wanted = space.vector(selection);
    let alike = related(&wanted, &vectors);
    found.extend(alike.filter(|f| !of_it.contains(&f.sentence) && !near.contains(&f.sentence)));
    found
}

fn related(wanted: &Vector, vectors: &[Vector]) -> impl Iterator<Item = Finding> {
    let alike = vectors.iter().enumerate();
    alike
        .map(|(at, vector)| (at, wanted.cosine(vector)))
        .filter(|(_, score)| (RELATED..SAME).contains(score))
        .map(|(sentence, score)| Finding {
            sentence,
            reason: Reason::Related,
            score,
        })
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
