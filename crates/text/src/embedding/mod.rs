//! Word embeddings: a vector for each word. Words of similar meaning have similar vectors.
//!
//! Example: "how do I keep others out?" is similar to a section about access control,
//! although the two have no word in common. The vectors are those of `wordllama`. The vector of a
//! word doesn't depend on the words around the word. `cargo xtask build` packs the vectors into
//! `embeddings.bin`.
//! No neural network runs: the vector of a text is the mean of its tokens' vectors. Numbers are
//! added in a fixed order, so that native and wasm results are identical in each bit.

mod format;
mod sample;
mod space;
mod tokens;
mod words;

pub use format::LoadError;
pub use sample::sample;
pub use space::Space;

use super::interner::Interner;

/// The number of components of a [`Vector`].
pub const DIMENSIONS: usize = 64;

/// The number of partial sums in [`Vector::dot`]. [`DIMENSIONS`] must be a multiple of it.
const LANES: usize = 8;

/// The embedding of a text; all zeros for a text without tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vector([f32; DIMENSIONS]);

impl Default for Vector {
    fn default() -> Self {
        Self([0.0; DIMENSIONS])
    }
}

impl Vector {
    /// Adds `weight` times `other` to this vector.
    pub fn add(&mut self, other: &Self, weight: f32) {
        for (sum, part) in self.0.iter_mut().zip(&other.0) {
            *sum += weight * part;
        }
    }

    /// Returns the vector scaled to length 1; a vector of zeros stays zero.
    #[must_use]
    pub fn unit(mut self) -> Self {
        let length = libm::sqrtf(self.dot(&self));
        if length > 0.0 {
            for part in &mut self.0 {
                *part /= length;
            }
        }
        self
    }

    /// Returns the cosine of the angle between two vectors: 1 for the same direction, 0 if one of
    /// the vectors is zero.
    pub fn cosine(&self, other: &Self) -> f32 {
        self.unit().dot(&other.unit())
    }

    /// Returns the dot product; for unit vectors this is the cosine.
    pub fn dot(&self, other: &Self) -> f32 {
        // A processor can compute eight independent sums in parallel. For a single sum, it would
        // wait for each addition.
        let mut sums = [0.0; LANES];
        let pairs = self.0.chunks_exact(LANES).zip(other.0.chunks_exact(LANES));
        for (some, others) in pairs {
            for ((sum, a), b) in sums.iter_mut().zip(some).zip(others) {
                *sum += a * b;
            }
        }
        sums.iter().sum()
    }
}

/// The tokens of Llama 2, with their embeddings.
#[derive(Debug)]
pub struct Embeddings {
    /// The tokens' texts, by id.
    tokens: Interner,
    /// The factor for each token's row: a row contains integers, the embedding is the row times the
    /// factor.
    scales: Vec<f32>,
    /// The rows of all tokens, each of [`DIMENSIONS`] numbers.
    rows: Vec<i8>,
}

impl Embeddings {
    /// Returns the mean vector of a text's tokens.
    pub fn vector(&self, text: &str) -> Vector {
        let mut sum = Vector::default();
        let mut tokens = 0.0;
        for word in text.split_whitespace() {
            tokens += self.add_word(word, &mut sum);
        }
        let mut mean = Vector::default();
        if tokens > 0.0 {
            mean.add(&sum, 1.0 / tokens);
        }
        mean
    }

    /// Adds the vectors of a word's tokens to `sum`, and returns the number of tokens. `word` must
    /// not contain white space.
    pub fn add_word(&self, word: &str, sum: &mut Vector) -> f32 {
        let mut tokens = 0.0;
        self.each_token(word, |token| {
            let at = token as usize;
            let scale = self.scales.get(at).copied().unwrap_or_default();
            let row = self.rows.get(at * DIMENSIONS..(at + 1) * DIMENSIONS);
            for (sum, part) in sum.0.iter_mut().zip(row.unwrap_or_default()) {
                *sum += scale * f32::from(*part);
            }
            tokens += 1.0;
        });
        tokens
    }
}

#[cfg(test)]
mod tests;
