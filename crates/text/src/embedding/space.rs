//! The texts of one page as vectors, and how much a question has in common with each.
//!
//! Driving example: the sections of a manual. A word weighs the less the more
//! sections have it, and stop words nothing: in manuals "I" and "my" are rare, and in
//! questions they tell nothing all the same.

use super::super::index::{Entry, K1, ballast};
use super::words::{Word, Words};
use super::{Embeddings, Vector};

/// The cosine below which two words have nothing to do with each other: most pairs of
/// words lie at some angle, and a long text has many.
const ALIKE: f32 = 0.35;

/// Vectors of texts, of length 1 (or zeros), and the words they are made of.
pub struct Space<'a> {
    words: Words<'a>,
    vectors: Vec<Vector>,
    /// Of each distinct word: its vector with the length 1.
    units: Vec<Vector>,
    /// How many words the texts have, on average.
    mean: f32,
}

impl<'a> Space<'a> {
    /// Embeds `texts`, each together with its headings.
    pub fn new<'t>(embeddings: &'a Embeddings, texts: impl Iterator<Item = Entry<'t>>) -> Self {
        let words = Words::new(embeddings, texts);
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

    /// The cosine of `query` to each text, from -1 to 1.
    pub fn similarities(&self, query: &str) -> Vec<f64> {
        let mut asked = Vector::default();
        let take = |_: &str, word: Word| asked.add(&word.vector, word.weight);
        self.words.each_of(query, take);
        let asked = asked.unit();
        let cosines = self.vectors.iter().map(|text| text.dot(&asked));
        cosines.map(f64::from).collect()
    }

    /// How much of what `query` asks for each text has in words that mean much the same, from
    /// 0, nothing, to 1: BM25 as in [`Index::coverage`], where a word of the text counts
    /// for a word of the question as often as it is alike.
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
                let impact = times * (K1 + 1.0) / (times + ballast(text.length, self.mean));
                *score += rarity * f64::from(impact);
            }
        });
        let whole = whole.max(f64::MIN_POSITIVE);
        scores.into_iter().map(|score| score / whole).collect()
    }

    /// How much each distinct word counts for `asked`: 1 for one of the same stem, the cube
    /// of the cosine for another, so that many that lie far off do not outweigh a near one.
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

/// The direction of a text. A word's repetition counts by its root: a text that says one
/// word over and over still means the rest of what it says.
fn vector(words: &[Word], counts: &[(u32, f32)]) -> Vector {
    let mut sum = Vector::default();
    for (number, times) in counts {
        if let Some(word) = words.get(*number as usize) {
            sum.add(&word.vector, word.weight * libm::sqrtf(*times));
        }
    }
    sum.unit()
}
