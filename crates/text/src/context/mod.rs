//! Finds the sentences of a page that explain a selected text.
//!
//! Example: the user selects "WHO". An earlier sentence of the page mentions "the World
//! Health Organization (WHO), an agency of the United Nations". This module finds such sentences by
//! patterns and similarity. It writes no explanations of its own.

mod abbreviation;
mod definition;
mod mention;

use super::language::length;
use super::vector::{Space, Vector};
use super::{Language, terms};
use mention::{Term, lowered};

/// A selection of at most this many words counts as a term. For a longer selection, sentences of
/// similar content are searched instead of uses.
const MAX_TERMS: usize = 6;

/// The minimum similarity of a sentence that is related to the selected passage.
const RELATED: f64 = 0.12;

/// The minimum certainty of a definition. Below, the sentence only uses the term, as in "monitoring
/// is useless".
const DEFINES: f64 = 0.5;

/// The minimum length of a sentence that uses the term, in words. A shorter sentence is a title.
const SHORTEST_USE: f64 = 4.0;

/// A sentence with at least this similarity only repeats the selected sentence.
const SAME: f64 = 0.95;

/// The ways in which a sentence helps to explain a selection, the most helpful first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// The sentence gives the full name of the selected abbreviation.
    Expansion,
    /// The sentence defines the selected term, or gives its abbreviation.
    Definition,
    /// The sentence contains the selection itself, and at least one other sentence mentions the
    /// term.
    Here,
    /// The sentence uses the selected term.
    Use,
    /// The sentence is directly before or after the selection.
    Beside,
    /// The sentence has content similar to the selection.
    Related,
}

/// A sentence that helps to explain the selection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Explanation {
    /// The index of the explaining sentence among the sentences.
    pub sentence: usize,
    /// The way in which the sentence helps.
    pub reason: Reason,
    /// The strength, above 0 and at most 1. Only scores of the same reason can be compared.
    pub score: f64,
}

/// A sentence that may explain the selection.
#[derive(Clone, Copy, Debug, Default)]
pub struct Candidate<'a> {
    /// The sentence.
    pub text: &'a str,
    /// The Markdown of the paragraph that contains the sentence.
    pub markdown: &'a str,
    /// The text to which the sentence belongs by its place.
    pub lead: Lead<'a>,
}

/// The text directly above or before a sentence, which may name what the sentence is about.
#[derive(Clone, Copy, Debug, Default)]
pub enum Lead<'a> {
    /// The sentence continues a text.
    #[default]
    None,
    /// The sentence is the first one below this heading.
    Heading(&'a str),
    /// The sentence is the first one of this entry in a list of definitions.
    Entry(&'a str),
}

/// Finds the sentences of a page that explain the selected text, best first; ties are in the order
/// of the page. `around` is the text of the block in which the user selected the text, if known.
///
/// For a term, the result contains definitions, full names or abbreviations, the sentence with the
/// selection, and uses of the term. The first use comes before other uses. If no other sentence
/// mentions the term, the result is the sentence with the selection and its neighbours.
///
/// For a sentence or a passage, the result contains its neighbours, then the most similar sentences
/// of the page.
pub fn explain_selection(
    selection: &str,
    around: Option<&str>,
    candidates: &[Candidate<'_>],
    language: Language,
) -> Vec<Explanation> {
    let sentences: Vec<&str> = candidates.iter().map(|candidate| candidate.text).collect();
    let selection = selection.trim_matches(|c: char| !c.is_alphanumeric());
    if selection.is_empty() {
        return Vec::new();
    }
    let around = around.map(lowered);
    let mut found = Vec::new();
    if is_term(selection, &sentences, language) {
        let term = Term::new(selection);
        found = explained(&term, around.as_deref(), candidates, language);
    }
    if found.is_empty() {
        found = in_context(selection, &sentences, language);
    }
    found.sort_unstable_by(|a, b| {
        let order = a.reason.cmp(&b.reason).then(b.score.total_cmp(&a.score));
        order.then(a.sentence.cmp(&b.sentence))
    });
    found
}

/// Returns true if the selection is a word or a name, rather than a whole sentence or a passage.
fn is_term(selection: &str, sentences: &[&str], language: Language) -> bool {
    let words = terms(selection, language).len();
    let limit = match language {
        // Chinese text gives single characters and pairs, so a text has about twice as many terms
        // as characters.
        Language::Chinese => 3 * MAX_TERMS,
        Language::English | Language::Other => MAX_TERMS,
    };
    // An entry of a list is as short as a term, but has no mark at its end.
    let is_whole = |sentence: &&str| {
        let bare = sentence.trim_matches(|c: char| !c.is_alphanumeric());
        bare == selection && sentence.ends_with(['.', '!', '?', '。', '！', '？'])
    };
    words <= limit && !sentences.iter().any(is_whole)
}

fn explained(
    term: &Term<'_>,
    around: Option<&str>,
    candidates: &[Candidate<'_>],
    language: Language,
) -> Vec<Explanation> {
    let with: Vec<(usize, &Candidate<'_>, Option<f64>)> = (0..)
        .zip(candidates)
        .map(|(at, candidate)| (at, candidate, definition::strength(term, candidate)))
        .filter(|(_, candidate, defines)| {
            defines.is_some()
                || term.is_in(candidate.text)
                || abbreviation::strength(term, candidate.text).is_some()
        })
        .collect();
    // Comparing all sentences of a long page would be slow, so only those that mention the term are
    // compared.
    let texts = with.iter().map(|(_, candidate, _)| candidate.text);
    let (space, users) = Space::new(texts, language);
    let typical = space.centroid(&users);
    let is_here = |sentence: &str| {
        let sentence = lowered(sentence);
        around.is_some_and(|around| around.contains(&sentence) || sentence.contains(around))
    };
    let is_only = with.len() == 1 || with.iter().all(|(_, candidate, _)| is_here(candidate.text));
    let mut is_first = true;
    let mut found = Vec::new();
    for ((at, candidate, defines), vector) in with.iter().zip(&users) {
        let sentence = candidate.text;
        let (reason, score) = match (*defines, abbreviation::strength(term, sentence)) {
            (_, Some(score)) if term.is_abbreviation() => (Reason::Expansion, score),
            (Some(score), _) if score >= DEFINES => (Reason::Definition, score),
            (_, Some(_)) => (Reason::Definition, DEFINES),
            (_, None) if is_only => (Reason::Use, 1.0),
            (_, None) if is_here(sentence) => (Reason::Here, 1.0),
            // A title doesn't show how the term is used.
            (_, None) if length(sentence) < SHORTEST_USE => continue,
            (_, None) if is_first => (Reason::Use, 1.0),
            (_, None) => (Reason::Use, 0.05 + 0.9 * typical.cosine(vector)),
        };
        is_first &= reason == Reason::Here;
        found.push(Explanation {
            sentence: *at,
            reason,
            score,
        });
    }
    // If the term is used only here, the neighbours help too.
    let is_used_only = is_only && found.iter().all(|finding| finding.reason == Reason::Use);
    if let (true, Some(first), Some(last)) = (is_used_only, found.first(), found.last()) {
        let known: Vec<usize> = with.iter().map(|(at, ..)| *at).collect();
        found.extend(beside(
            first.sentence,
            last.sentence,
            &known,
            candidates.len(),
        ));
    }
    found
}

/// Returns the sentences directly before `first` and directly after `last`, without those in
/// `known`.
fn beside(
    first: usize,
    last: usize,
    known: &[usize],
    all: usize,
) -> impl Iterator<Item = Explanation> {
    let neighbours = [first.checked_sub(1), Some(last + 1).filter(|at| *at < all)];
    let new = |at: &usize| !known.contains(at);
    let places: Vec<usize> = neighbours.into_iter().flatten().filter(new).collect();
    places.into_iter().map(|sentence| Explanation {
        sentence,
        reason: Reason::Beside,
        score: 1.0,
    })
}

/// Returns the neighbours of the selected passage, and similar sentences elsewhere on the page.
fn in_context(selection: &str, sentences: &[&str], language: Language) -> Vec<Explanation> {
    let selected = lowered(selection);
    let bare = |sentence: &&str| {
        let lowered = lowered(sentence);
        let bare = lowered.trim_matches(|c: char| !c.is_alphanumeric());
        bare.to_owned()
    };
    let is_of_it = |sentence: &&str| {
        let sentence = bare(sentence);
        let is_part = length(&sentence) >= SHORTEST_USE && selected.contains(&sentence);
        is_part || sentence.contains(&selected)
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

fn related(wanted: &Vector, vectors: &[Vector]) -> impl Iterator<Item = Explanation> {
    let alike = vectors.iter().enumerate();
    alike
        .map(|(at, vector)| (at, wanted.cosine(vector)))
        .filter(|(_, score)| (RELATED..SAME).contains(score))
        .map(|(sentence, score)| Explanation {
            sentence,
            reason: Reason::Related,
            score,
        })
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
