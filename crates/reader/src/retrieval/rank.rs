//! Ranks texts by their relevance to a question.

use gloss_text::Language;
use gloss_text::embedding::{Embeddings, Space};
use gloss_text::index::{Entry, Index};

/// The cosine above which a text that shares no word with the question still is relevant.
const NEAR: f64 = 0.4;

/// The weight of the texts' overall meaning beside their words. It is below 1, because the words
/// already express part of the meaning.
const WHOLE: f64 = 0.8;

/// Every text's index, best first. Irrelevant texts come last, in the order of the page.
pub fn rank(
    texts: &[Entry<'_>],
    query: &str,
    language: Language,
    meaning: Option<&Embeddings>,
) -> Vec<usize> {
    best_first(&Scores::new(texts, query, language, meaning).together())
}

/// The share of the best score below which a text is not about the question: it only shares a word
/// with it.
const LEAST_SHARE: f64 = 0.3;

/// The indices of the texts about a question, best first. Texts that share no word with the
/// question and aren't near it in meaning are excluded.
pub fn rank_relevant(
    texts: &[Entry<'_>],
    query: &str,
    language: Language,
    meaning: Option<&Embeddings>,
) -> Vec<usize> {
    let scores = Scores::new(texts, query, language, meaning);
    let together = scores.together();
    let score = |at: &usize| together.get(*at).copied().unwrap_or(f64::MIN);
    let order = best_first(&together);
    let least = order.first().map_or(0.0, score) * LEAST_SHARE;
    let bear = order.into_iter().take_while(|at| score(at) >= least);
    bear.filter(|at| scores.is_relevant(*at)).collect()
}

/// All indices, highest score first, ties in the order of the page.
pub(super) fn best_first(scores: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    let score = |at: &usize| scores.get(*at).copied().unwrap_or(f64::MIN);
    order.sort_by(|a, b| score(b).total_cmp(&score(a)));
    order
}

/// Returns true if the embeddings help in a language. They are made of English words, and would
/// blur differences between Chinese characters.
pub fn has_meaning(language: Language) -> bool {
    match language {
        Language::English => true,
        Language::Chinese | Language::Other => false,
    }
}

/// The relevance of each text to a question, comparable within one question only.
pub(super) struct Scores {
    /// BM25 over shared words.
    words: Vec<f64>,
    /// The scores by meaning, if there are embeddings.
    meaning: Option<Meaning>,
}

struct Meaning {
    /// BM25 over shared words, with words of similar meaning treated as equal.
    alike: Vec<f64>,
    /// The cosines between the whole texts and the question.
    near: Vec<f64>,
}

impl Scores {
    pub(super) fn new(
        texts: &[Entry<'_>],
        query: &str,
        language: Language,
        meaning: Option<&Embeddings>,
    ) -> Self {
        let meaning = meaning.filter(|_| has_meaning(language));
        let meaning = meaning.map(|meaning| {
            let space = Space::new(meaning, texts.iter().copied());
            Meaning {
                alike: space.coverage(query),
                near: space.similarities(query),
            }
        });
        Self {
            words: Index::new(language, texts.iter().copied()).coverage(query),
            meaning,
        }
    }

    /// The sum of word coverage and nearness. Neither is scaled to the other: if the page uses
    /// other words than the question, a few accidental matches must not outweigh the meaning.
    pub(super) fn together(&self) -> Vec<f64> {
        let Some(Meaning { alike, near }) = &self.meaning else {
            return self.words.clone();
        };
        let both = alike.iter().zip(near);
        both.map(|(alike, near)| alike + WHOLE * near).collect()
    }

    /// Returns true if a text shares a word with the question or is near it in meaning.
    pub(super) fn is_relevant(&self, at: usize) -> bool {
        let over = |scores: &[f64], least: f64| scores.get(at).is_some_and(|score| *score > least);
        let near = self.meaning.as_ref().map(|meaning| &meaning.near);
        over(&self.words, 0.0) || near.is_some_and(|near| over(near, NEAR))
    }
}
