//! Converts the texts of one page to vectors, and compares them with a question.
//!
//! Example: the texts are the sections of a manual. A word that many sections contain has a
//! low weight. Stop words have weight 0. Otherwise "I" and "my" would have a high weight, because
//! they are rare in manuals.

use super::super::index::{Entry, K1, half_saturation};
use super::words::{Word, WordIndex};
use super::{Embeddings, Vector};

/// Two words with a lower cosine are unrelated. Most pairs of words have a small cosine, and many
/// small cosines would add up in a long text.
const ALIKE: f32 = 0.35;

/// The words of a page's texts, and a unit vector for each text. The vector of a text without words
/// is zero.
pub struct Space<'a> {
    words: WordIndex<'a>,
    vectors: Vec<Vector>,
    /// The unit vector of each distinct word.
    units: Vec<Vector>,
    /// The mean number of words per text.
    mean: f32,
}

impl<'a> Space<'a> {
    /// Embeds each of `texts` together with its headings.
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
    /// meaning. The formula is BM25 as in [`Index::coverage`], but each word of a text counts by
    /// its similarity to a word of the query.
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

    /// Returns the similarity of each distinct word to `asked`: 1 for the same stem, or else the
    /// cube of the cosine. Because of the cube, one close word outweighs many weakly related words.
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

/// Returns the unit vector of a text. The weight of a word is multiplied by the square root of its
/// frequency, so that a repeated word doesn't hide the others.
fn vector(words: &[Word], counts: &[(u32, f32)]) -> Vector {
    let mut sum = Vector::default();
    for (number, times) in counts {
        if let Some(word) = words.get(*number as usize) {
            sum.add(&word.vector, word.weight * libm::sqrtf(*times));
        }
    }
    sum.unit()
}
