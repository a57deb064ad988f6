//! Finds the sentences that are about a question.

use super::Meaning;
use gloss_text::Language;
use gloss_text::index::{Entry, Index};
use gloss_text::passages::{NEAR, RATED, combined};

/// The minimum score of the words of a relevant sentence, as a share of the best score. A sentence
/// with a lower score has a word of the question by accident.
const LEAST_SHARE: f64 = 0.3;

/// Returns the indices of the texts about a question, best first. A text is left out if it has no
/// important word in common with the question and no similar meaning.
pub fn relevant(
    texts: &[Entry<'_>],
    question: &str,
    language: Language,
    meaning: &Meaning,
) -> Vec<usize> {
    let index = Index::new(language, texts.iter().copied());
    let found = index.search(question, usize::MAX);
    let least = found.first().map_or(0.0, |hit| hit.score * LEAST_SHARE);
    let mut scores = vec![0.0; texts.len()];
    for hit in found {
        if let Some(score) = scores.get_mut(hit.item) {
            *score = hit.score;
        }
    }
    let mut order: Vec<(usize, f64)> = scores.into_iter().enumerate().collect();
    order.sort_by(|one, other| other.1.total_cmp(&one.1));
    let words: Vec<f64> = order.iter().map(|(_, words)| *words).collect();
    let first: Vec<&str> = order
        .iter()
        .take(RATED)
        .filter_map(|(at, _)| Some(texts.get(*at)?.text))
        .collect();
    let near = meaning.cosines(question, first.into_iter());
    let scores = combined(&words, near.as_deref());
    let near = near.unwrap_or_default().into_iter().map(Some);
    let near = near.chain(std::iter::repeat(None));
    let mut found: Vec<(usize, f64)> = order
        .into_iter()
        .zip(scores)
        .zip(near)
        .filter(|(((_, words), _), near)| {
            (*words > 0.0 && *words >= least) || near.is_some_and(|near| near > NEAR)
        })
        .map(|(((at, _), score), _)| (at, score))
        .collect();
    found.sort_by(|one, other| other.1.total_cmp(&one.1));
    found.into_iter().map(|(at, _)| at).collect()
}
