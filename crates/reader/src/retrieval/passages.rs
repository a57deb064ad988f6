//! Finds the passages and paragraphs of a page that are nearest to a question.

use super::has_meaning;
use gloss_page::{Document, Paragraph, Passage};
use gloss_text::embedding::{Embeddings, Space};
use gloss_text::index::Entry;

/// The number of passages that are found for each wanted paragraph. Often, several passages are in
/// the same paragraph.
const PASSAGES: usize = 3;

/// Returns at most `most` passages, those nearest to the question first. The score of a model is the
/// similarity of the embeddings, if there are any.
pub fn passages<'a>(
    page: &'a Document,
    question: &str,
    most: usize,
    meaning: Option<&Embeddings>,
) -> Vec<Passage<'a>> {
    let search = page.search(question);
    let meaning = meaning.filter(|_| has_meaning(page.text_language()));
    let near = meaning.map(|meaning| {
        let texts = search.candidates();
        let entries = texts.iter().map(|text| Entry { heading: "", text });
        Space::new(meaning, entries).similarities(question)
    });
    search.passages(near.as_deref(), most)
}

/// Returns at most `most` paragraphs about a question: those with the nearest passages, best first.
/// A paragraph is left out if it has no word in common with the question and no similar meaning.
pub fn paragraphs<'a>(
    page: &'a Document,
    question: &str,
    most: usize,
    meaning: Option<&Embeddings>,
) -> Vec<&'a Paragraph> {
    let mut found: Vec<&Paragraph> = Vec::new();
    let passages = passages(page, question, most.saturating_mul(PASSAGES), meaning);
    for passage in passages.into_iter().filter(|passage| passage.is_related) {
        if found.len() < most && !found.iter().any(|it| it.number == passage.paragraph.number) {
            found.push(passage.paragraph);
        }
    }
    found
}
