//! Converts sentences to unit vectors. Each term is a dimension, weighted by inverse sentence
//! frequency.
//!
//! Example: two sentences with nearly the same terms have a cosine near 1. A term that a
//! sentence repeats counts once, because repetition is a matter of style. Vectors are sparse and
//! sorted by term. Numbers are added in a fixed order, so that native and wasm results are
//! identical in each bit.

use super::lexicon::Lexicon;
use super::{Language, terms};

/// A text's terms with their weights: (term number, weight), sorted by number. The vector has
/// length 1, or no entries.
#[derive(Clone, Debug, Default)]
pub(super) struct Vector(Vec<(u32, f64)>);

impl Vector {
    fn unit(mut weights: Vec<(u32, f64)>) -> Self {
        let norm = libm::sqrt(weights.iter().map(|(_, w)| w * w).sum());
        if norm > 0.0 {
            for (_, weight) in &mut weights {
                *weight /= norm;
            }
        } else {
            weights.clear();
        }
        Self(weights)
    }

    /// Returns the number of terms that two vectors have in common.
    pub(super) fn shared(&self, other: &Self) -> usize {
        let is_shared = |term: u32| other.0.binary_search_by_key(&term, |(it, _)| *it).is_ok();
        self.0.iter().filter(|(term, _)| is_shared(*term)).count()
    }

    /// Returns the cosine of two vectors: 0 if they have no term in common, 1 for the same
    /// direction.
    pub(super) fn cosine(&self, other: &Self) -> f64 {
        let (mut left, mut right) = (self.0.iter().peekable(), other.0.iter().peekable());
        let mut sum = 0.0;
        while let (Some((a, x)), Some((b, y))) = (left.peek(), right.peek()) {
            if a == b {
                sum += x * y;
            }
            let (step_left, step_right) = (a <= b, b <= a);
            if step_left {
                left.next();
            }
            if step_right {
                right.next();
            }
        }
        sum
    }
}

/// The terms of one page's sentences, with their weights.
pub(super) struct Space {
    language: Language,
    lexicon: Lexicon,
    /// The inverse sentence frequency of each term.
    isf: Vec<f64>,
}

impl Space {
    /// Creates the space of `texts`. Returns the space, and the vector of each text.
    pub(super) fn new<'a>(
        texts: impl Iterator<Item = &'a str>,
        language: Language,
    ) -> (Self, Vec<Vector>) {
        let mut lexicon = Lexicon::new(language);
        let mut sentences_with: Vec<u32> = Vec::new();
        let distinct: Vec<Vec<u32>> = texts
            .map(|text| {
                let mut numbered = Vec::new();
                lexicon.each_term(text, |term| numbered.push(term));
                let found = once_each(numbered);
                sentences_with.resize(lexicon.len(), 0);
                for term in &found {
                    if let Some(sentences) = sentences_with.get_mut(*term as usize) {
                        *sentences += 1;
                    }
                }
                found
            })
            .collect();
        let all = distinct.len() as f64;
        let isf = sentences_with
            .iter()
            .map(|some| libm::log(1.0 + all / f64::from(*some)))
            .collect();
        let space = Self {
            language,
            lexicon,
            isf,
        };
        let vectors = distinct.into_iter().map(|d| space.weigh(d)).collect();
        (space, vectors)
    }

    /// Returns the vector of any text. Terms that the page doesn't contain are ignored.
    pub(super) fn vector(&self, text: &str) -> Vector {
        let known = terms(text, self.language)
            .iter()
            .filter_map(|term| self.lexicon.find(term))
            .collect();
        self.weigh(once_each(known))
    }

    fn weigh(&self, distinct: Vec<u32>) -> Vector {
        let isf = |term: u32| self.isf.get(term as usize).copied().unwrap_or_default();
        Vector::unit(distinct.into_iter().map(|term| (term, isf(term))).collect())
    }

    /// The positional centrality (`PacSum`) of each of `vectors`: its similarity to all, minus three
    /// times its similarity to those before it. A text says something first, and then more about
    /// it. The similarities are sums of cosines.
    pub(super) fn positional(&self, vectors: &[Vector]) -> Vec<f64> {
        let (all, mut before) = (self.sum(vectors), self.sum(&[]));
        let rate = |vector: &Vector| {
            let rating = all.cosine(vector) - 3.0 * before.cosine(vector);
            before.add(vector);
            rating
        };
        vectors.iter().map(rate).collect()
    }

    fn sum(&self, vectors: &[Vector]) -> Centroid {
        let mut sum = Centroid(vec![0.0; self.isf.len()]);
        for vector in vectors {
            sum.add(vector);
        }
        sum
    }

    /// The mean direction of `vectors`.
    pub(super) fn centroid(&self, vectors: &[Vector]) -> Centroid {
        let Centroid(mut sums) = self.sum(vectors);
        let norm = libm::sqrt(sums.iter().map(|sum| sum * sum).sum());
        if norm > 0.0 {
            for sum in &mut sums {
                *sum /= norm;
            }
        }
        Centroid(sums)
    }
}

/// The mean direction of a page's vectors: a weight for each term. A dense vector is used, because
/// it contains nearly every term and is compared with every sentence.
#[derive(Debug)]
pub(super) struct Centroid(Vec<f64>);

impl Centroid {
    fn add(&mut self, vector: &Vector) {
        for (term, weight) in &vector.0 {
            if let Some(sum) = self.0.get_mut(*term as usize) {
                *sum += weight;
            }
        }
    }

    /// The cosine between `vector` and the centroid.
    pub(super) fn cosine(&self, vector: &Vector) -> f64 {
        let at = |term: u32| self.0.get(term as usize).copied().unwrap_or_default();
        vector
            .0
            .iter()
            .map(|(term, weight)| weight * at(*term))
            .sum()
    }
}

fn once_each(mut numbered: Vec<u32>) -> Vec<u32> {
    numbered.sort_unstable();
    numbered.dedup();
    numbered
}

#[cfg(test)]
mod tests {
    use super::super::Language::English;
    use super::Space;

    #[test]
    fn likeness_is_one_for_the_same_and_none_for_nothing_in_common() {
        let texts = [
            "The cat sleeps",
            "A sleeping cat",
            "Dogs bark",
            "the of",
            "cats bark",
        ];
        let (space, vectors) = Space::new(texts.into_iter(), English);
        let cosine = |a: usize, b: usize| vectors[a].cosine(&vectors[b]);
        assert!((cosine(0, 1) - 1.0).abs() < 1e-12);
        assert!(cosine(0, 2).abs() < 1e-12);
        assert!(cosine(0, 3).abs() < 1e-12);
        assert!(cosine(0, 4) > 0.1 && cosine(0, 4) < 0.9);
        assert!((space.vector("CATS SLEEP, zebras don't").cosine(&vectors[0]) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_centroid_leans_to_what_is_said_most() {
        let texts = ["cats sleep", "cats eat", "dogs bark"];
        let (space, vectors) = Space::new(texts.into_iter(), English);
        let centroid = space.centroid(&vectors);
        assert!(centroid.cosine(&vectors[0]) > centroid.cosine(&vectors[2]));
    }
}
