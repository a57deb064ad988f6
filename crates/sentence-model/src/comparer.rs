//! Compares a question with texts, and keeps the vectors for the next question.

use super::{SentenceModel, Vector};
use std::collections::BTreeMap;

/// The most vectors that are kept. They need 8 MB, their texts about 1 MB more.
const MOST_KEPT: usize = 4096;

/// A model that computes each vector only once, as long as it is kept.
pub struct Comparer {
    model: SentenceModel,
    /// The vectors by their texts.
    kept: BTreeMap<String, Vector>,
}

impl Comparer {
    /// Creates a comparer that has kept nothing yet.
    pub fn new(model: SentenceModel) -> Self {
        Self {
            model,
            kept: BTreeMap::new(),
        }
    }

    /// Returns the cosine between the question and each text, in order: 1 for the same meaning.
    pub fn cosines(&mut self, question: &str, texts: &[impl AsRef<str>]) -> Vec<f32> {
        if self.kept.len() + texts.len() > MOST_KEPT {
            self.kept.clear();
        }
        let texts = || texts.iter().map(AsRef::as_ref);
        let all = texts().chain([question]);
        let new: Vec<&str> = all.filter(|text| !self.kept.contains_key(*text)).collect();
        let vectors = new.iter().map(|text| (*text).to_owned());
        self.kept.extend(vectors.zip(self.model.embed(&new)));
        let vector = |text| self.kept.get(text);
        let cosine = |text| Some(vector(text)?.cosine(vector(question)?));
        texts()
            .map(|text| cosine(text).unwrap_or_default())
            .collect()
    }
}
