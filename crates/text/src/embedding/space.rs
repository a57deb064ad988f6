//! Represents the texts of one page as vectors, and compares them with a question.
//!
//! Driving example: the texts are the sections of a manual. The more sections contain a word, the
//! lower is its weight. Stop words have no weight at all: "I" and "my" are rare in manuals, so
//! their rarity would give them a high weight.

use super::super::index::{Entry, K1, half_saturation};
use super::words::{Word, WordIndex};
use super::{Embeddings, Vector};

/// The cosine below which two words count as unrelated. Most pairs of words have some similarity,
/// which would add up over a long text.
const ALIKE: f32 = 0.35;

/// The words of a page's texts, and a unit vector for each text (zeros for a text without words).
pub struct Space<'a> {
    words: WordIndex<'a>,
    vectors: Vec<Vector>,
    /// The unit vector of each distinct word.
    units: Vec<Vector>,
    /// The mean number of words per text.
    mean: f32,
}

impl<'a> Space<'a> {
    /// Embeds `texts`, each together with its headings.
    pub fn new<'t>(embeddings: &'a Embeddings, texts: impl Iterator<Item = Entry<'t>>) -> Self {
        let words = WordIndex::new(embeddings, texts);
        let vectors: Vec<Vector> = words
            .texts()
            .map(|text| vector(&words.known, text.counts))
            .collect();
        let length: f32 = words.texts().map(|text| text.length).sum();
        Self {
            mean: (length / vectors.len().max(1) as f32).max(1.0),
            units: words.known.iter().map(|word| word.vector.unit()).collect(),
            vectors,
            words,
        }
    }

    /// Returns the cosine between `query` and each text, from -1 to 1.
    pub fn similarities(&self, query: &str) -> Vec<f64> {
        let mut asked = Vector::default();
        let take = |_: &str, word: Word| asked.add(&word.vector, word.weight);
        self.words.each_of(query, take);
        let asked = asked.unit();
        let cosines = self.vectors.iter().map(|text| text.dot(&asked));
        cosines.map(f64::from).collect()
    }

    /// Returns the share of `query` that each text covers, from 0 to 1, counting words of similar
    /// meaning. This is BM25 as in [`Index::coverage`], but each word of a text counts by its
    /// similarity to a word of the query.
    ///
    /// [`Index::coverage`]: super::super::index::Index::coverage
    pub fn coverage(&self, query: &str) -> Vec<f64> {
        let mut asked: Vec<String> = Vec::new();
        let mut scores = vec![0.0; self.vectors.len()];
        let mut whole = 0.0;
        self.words.each_of(query, |stem, word| {
            if asked.iter().any(|known| known == stem) {
                return;
            }
            asked.push(stem.to_owned());
            let alike = self.alike(&word);
            let rarity = self.words.rarity(word.stem);
            whole += rarity * f64::from(K1 + 1.0);
            for (text, score) in self.words.texts().zip(&mut scores) {
                let times = text.counts.iter().map(|(number, times)| {
                    times * alike.get(*number as usize).copied().unwrap_or_default()
                });
                let times: f32 = times.sum();
                let impact = times * (K1 + 1.0) / (times + half_saturation(text.length, self.mean));
                *score += rarity * f64::from(impact);
            }
        });
        let whole = whole.max(f64::MIN_POSITIVE);
        scores.into_iter().map(|score| score / whole).collect()
    }

    /// The similarity of each distinct word to `asked`: 1 for the same stem, or else the cube of
    /// the cosine. The cube keeps many weakly related words from outweighing a close one.
    fn alike(&self, asked: &Word) -> Vec<f32> {
        let direction = asked.vector.unit();
        let words = self.words.known.iter().zip(&self.units);
        words
            .map(|(word, unit)| {
                if word.stem.is_some() && word.stem == asked.stem {
                    return 1.0;
                }
                let cosine = unit.dot(&direction);
                if cosine > ALIKE {
                    cosine * cosine * cosine
                } else {
                    0.0
                }
            })
            .collect()
    }
}

/// The unit vector of a text. Words count by the square root of their frequency, so that a repeated
/// word doesn't hide the others.
fn vector(words: &[Word], counts: &[(u32, f32)]) -> Vector {
    let mut sum = Vector::default();
    for (number, times) in counts {
        if let Some(word) = words.get(*number as usize) {
            sum.add(&word.vector, word.weight * libm::sqrtf(*times));
        }
    }
    sum.unit()
}
