//! Finds the passages and paragraphs of a page that are nearest to a question.

use super::Meaning;
use gloss_page::{Document, Paragraph, Passage};

/// The number of passages that are found for each wanted paragraph. Often, several passages are in
/// the same paragraph.
const PASSAGES: usize = 3;

/// Returns at most `most` passages, those nearest to the question first. The sentence model rates
/// the sentences with the best words.
pub fn passages<'a>(
    page: &'a Document,
    question: &str,
    most: usize,
    meaning: &Meaning,
) -> Vec<Passage<'a>> {
    let search = page.search(question);
    let candidates = search.candidates();
    let near = meaning.cosines(question, candidates.iter().map(String::as_str));
    search.passages(near.as_deref(), most)
}

/// Returns at most `most` paragraphs about a question: those with the nearest passages, best first.
/// A paragraph is left out if it has no word in common with the question and no similar meaning.
pub fn paragraphs<'a>(
    page: &'a Document,
    question: &str,
    most: usize,
    meaning: &Meaning,
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
