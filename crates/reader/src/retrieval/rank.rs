//! Which of a page's texts bear most on a question.

use gloss_text::Language;
use gloss_text::embedding::{Embeddings, Space};
use gloss_text::index::{Entry, Index};

/// How near a text that shares no word with the question must lie to bear on it: a
/// cosine.
const NEAR: f64 = 0.4;

/// What the whole of what a text means counts beside its words: the words already tell
/// part of it.
const WHOLE: f64 = 0.8;

/// Every text's position, best first; those that nothing speaks for come last, in the
/// order of the page.
pub fn rank(
    texts: &[Entry<'_>],
    query: &str,
    language: Language,
    meaning: Option<&Embeddings>,
) -> Vec<usize> {
    best_first(&Scores::new(texts, query, language, meaning).together())
}

/// What bears on a question by less than this share of what does best has a word of it, no
/// more.
const LEAST_SHARE: f64 = 0.3;

/// The positions of those that bear on a question, best first; what shares no word with it
/// and isn't near it is none.
pub fn on_question(
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
    bear.filter(|at| scores.speaks_for(*at)).collect()
}

/// All positions, those with the highest scores first, ties in the order of the page.
pub(super) fn best_first(scores: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    let score = |at: &usize| scores.get(*at).copied().unwrap_or(f64::MIN);
    order.sort_by(|a, b| score(b).total_cmp(&score(a)));
    order
}

/// Whether the embeddings help with a language: they are of English words, and blur
/// what the characters of Chinese tell apart.
pub fn has_meaning(language: Language) -> bool {
    match language {
        Language::English => true,
        Language::Chinese | Language::Other => false,
    }
}

/// How much each text bears on a question, comparable within one question only.
pub(super) struct Scores {
    /// By the words they share: BM25.
    words: Vec<f64>,
    /// By what they mean, where there are embeddings.
    meaning: Option<Meaning>,
}

struct Meaning {
    /// By words that mean much the same, those they share among them: BM25.
    alike: Vec<f64>,
    /// By the whole of what both mean: cosines.
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

    /// The share of the question's words that a text has or has the like of, and how near it
    /// lies: neither is scaled to the other, so that where the page has other words than
    /// the question, what few they share by chance does not drown what both mean.
    pub(super) fn together(&self) -> Vec<f64> {
        let Some(Meaning { alike, near }) = &self.meaning else {
            return self.words.clone();
        };
        let both = alike.iter().zip(near);
        both.map(|(alike, near)| alike + WHOLE * near).collect()
    }

    /// Whether a text shares a word with the question or lies near it.
    pub(super) fn speaks_for(&self, at: usize) -> bool {
        let over = |scores: &[f64], least: f64| scores.get(at).is_some_and(|score| *score > least);
        let near = self.meaning.as_ref().map(|meaning| &meaning.near);
        over(&self.words, 0.0) || near.is_some_and(|near| over(near, NEAR))
    }
}
