//! Ranks texts by their relevance to a question.

use gloss_text::Language;
use gloss_text::embedding::{Embeddings, Space};
use gloss_text::index::{Entry, Index};

/// A text with a higher cosine is relevant even without a word of the question.
const NEAR: f64 = 0.4;

/// The weight of the similarity between whole texts. It is added to the score of the words. The
/// weight is below 1, because the score of the words already contains similar words.
const WHOLE: f64 = 0.8;

/// Returns the indices of all texts, best first. Irrelevant texts are last, in the order of the
/// page.
pub fn rank(
    texts: &[Entry<'_>],
    query: &str,
    language: Language,
    meaning: Option<&Embeddings>,
) -> Vec<usize> {
    best_first(&Scores::new(texts, query, language, meaning).together())
}

/// The minimum score of a text about the question, as a share of the best score. A text with a
/// lower score has a word of the question by accident.
const LEAST_SHARE: f64 = 0.3;

/// Returns the indices of the texts about a question, best first. A text is left out if it has no
/// word in common with the question and no similar meaning.
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

/// Returns all indices, highest score first; ties are in the order of the page.
fn best_first(scores: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    let score = |at: &usize| scores.get(*at).copied().unwrap_or(f64::MIN);
    order.sort_by(|a, b| score(b).total_cmp(&score(a)));
    order
}

/// Returns true if the embeddings improve the ranking in this language. The embeddings are of
/// English words, and don't distinguish Chinese characters well.
pub fn has_meaning(language: Language) -> bool {
    match language {
        Language::English => true,
        Language::Chinese | Language::Other => false,
    }
}

/// The relevance of each text to one question. Scores of different questions can't be compared.
struct Scores {
    /// The BM25 score of shared words.
    words: Vec<f64>,
    /// The scores by meaning; `None` without embeddings.
    meaning: Option<Meaning>,
}

struct Meaning {
    /// The BM25 score of shared words and words of similar meaning.
    alike: Vec<f64>,
    /// The cosine between each whole text and the question.
    near: Vec<f64>,
}

impl Scores {
    fn new(
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

    /// Returns the score of each text: the score of its words plus the weighted similarity. The two
    /// are not scaled to the same range. With scaling, a few accidental matches would outweigh the
    /// meaning if page and question use different words.
    fn together(&self) -> Vec<f64> {
        let Some(Meaning { alike, near }) = &self.meaning else {
            return self.words.clone();
        };
        let both = alike.iter().zip(near);
        both.map(|(alike, near)| alike + WHOLE * near).collect()
    }

    /// Returns true if a text shares a word with the question or has a similar meaning.
    fn is_relevant(&self, at: usize) -> bool {
        let over = |scores: &[f64], least: f64| scores.get(at).is_some_and(|score| *score > least);
        let near = self.meaning.as_ref().map(|meaning| &meaning.near);
        over(&self.words, 0.0) || near.is_some_and(|near| over(near, NEAR))
    }
}
