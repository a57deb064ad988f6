//! The sentences of a page that help to explain a selection.
//!
//! Driving example: "WHO" is selected; long before, the page spoke of "the World
//! Health Organization (WHO), an agency of the United Nations". Deliberately by
//! pattern and likeness only: it finds where the page explains itself and never
//! explains anything.

mod abbreviation;
mod definition;
mod mention;

use super::vector::{Space, Vector};
use super::{Language, terms};
use mention::Term;

/// Selections of more terms than this are passages: others relate to them, none
/// uses them.
const MAX_TERMS: usize = 6;

/// Sentences less alike than this to a passage are not about the same.
const RELATED: f64 = 0.12;

/// From this on a sentence is the selected one over again.
const SAME: f64 = 0.95;

/// What a sentence does for the selection, the most helpful first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// It says what the selection is.
    Definition,
    /// It spells the abbreviation out, or abbreviates the selected name.
    Expansion,
    /// It uses the selection.
    Use,
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

/// The `sentences` of a page that explain the selected text: those that define
/// it, then those that spell it out, then its first use and the others; for a
/// whole sentence or passage, those most like it elsewhere. Best first, ties in
/// the order of the page.
pub fn about(selection: &str, sentences: &[&str], language: Language) -> Vec<Finding> {
    let selection = selection.trim_matches(|c: char| !c.is_alphanumeric());
    if selection.is_empty() {
        return Vec::new();
    }
    let (space, vectors) = Space::new(sentences.iter().copied(), language);
    let mut found = Vec::new();
    if is_term(selection, sentences, language) {
        found = explained(&Term::new(selection, language), sentences, &space, &vectors);
    }
    if found.is_empty() {
        found = related(selection, sentences, &space.vector(selection), &vectors);
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

fn explained(
    term: &Term<'_>,
    sentences: &[&str],
    space: &Space,
    vectors: &[Vector],
) -> Vec<Finding> {
    let with: Vec<usize> = (0..)
        .zip(sentences)
        .filter(|(_, sentence)| term.is_in(sentence))
        .map(|(at, _)| at)
        .collect();
    let of = |at: &usize| vectors.get(*at).cloned().unwrap_or_default();
    let users: Vec<Vector> = with.iter().map(of).collect();
    let typical = space.centroid(&users);
    let mut is_first = true;
    let judge = |(at, vector): (usize, &Vector)| {
        let sentence = sentences.get(at).copied().unwrap_or_default();
        let (reason, score) = match (
            definition::strength(term, sentence),
            abbreviation::strength(term, sentence),
        ) {
            (_, Some(score)) if term.is_abbreviation() => (Reason::Expansion, score),
            (Some(score), _) => (Reason::Definition, score),
            (None, Some(score)) => (Reason::Expansion, score),
            (None, None) if is_first => (Reason::Use, 1.0),
            (None, None) => (Reason::Use, 0.05 + 0.9 * typical.cosine(vector)),
        };
        is_first = false;
        Finding {
            sentence: at,
            reason,
            score,
        }
    };
    with.iter().copied().zip(&users).map(judge).collect()
}

fn related(
    selection: &str,
    sentences: &[&str],
    wanted: &Vector,
    vectors: &[Vector],
) -> Vec<Finding> {
    sentences
        .iter()
        .zip(vectors)
        .enumerate()
        .filter(|(_, (sentence, _))| !selection.contains(sentence.trim_end_matches(['.', '。'])))
        .map(|(at, (_, vector))| (at, wanted.cosine(vector)))
        .filter(|(_, score)| (RELATED..SAME).contains(score))
        .map(|(sentence, score)| Finding {
            sentence,
            reason: Reason::Related,
            score,
        })
        .collect()
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
