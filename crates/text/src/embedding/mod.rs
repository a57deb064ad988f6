//! Words as points in a space where what means much the same lies close together.
//!
//! Driving example: "how do I keep others out?" lies near a section on access
//! control though the two share no word. The points are static (a token has one,
//! whatever stands around it): `wordllama`'s, which `cargo xtask build` packs into
//! `embeddings.bin`. Deliberately no network of any kind: a text is the mean of its
//! tokens, and sums run in one order, so native and wasm agree bit for bit.

mod format;
mod sample;
mod space;
mod tokens;
mod words;

pub use format::LoadError;
pub use sample::sample;
pub use space::Space;

use super::interner::Interner;

/// How many numbers a [`Vector`] has.
pub const DIMENSIONS: usize = 64;

/// How many products are summed side by side; divides [`DIMENSIONS`].
const LANES: usize = 8;

/// A point, or a direction; all zeros for a text without a token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vector([f32; DIMENSIONS]);

impl Default for Vector {
    fn default() -> Self {
        Self([0.0; DIMENSIONS])
    }
}

impl Vector {
    /// Adds `weight` times `other`.
    pub fn add(&mut self, other: &Self, weight: f32) {
        for (sum, part) in self.0.iter_mut().zip(&other.0) {
            *sum += weight * part;
        }
    }

    /// The same direction with the length 1; zeros stay zeros.
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

    /// The cosine of the angle between two directions: 1 for the same, 0 where
    /// either is zeros.
    pub fn cosine(&self, other: &Self) -> f32 {
        self.unit().dot(&other.unit())
    }

    /// The sum of the products: of two units, their cosine.
    pub fn dot(&self, other: &Self) -> f32 {
        // Eight sums side by side: one alone would wait for each addition in turn.
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

/// The tokens of a language model, and where each lies.
#[derive(Debug)]
pub struct Embeddings {
    /// The tokens' texts, by their ids.
    tokens: Interner,
    /// Of each token: what its row's numbers are to be multiplied by.
    scales: Vec<f32>,
    /// Row by row, [`DIMENSIONS`] numbers each.
    rows: Vec<i8>,
}

impl Embeddings {
    /// The mean of the text's tokens. White space only parts words.
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

    /// Adds the tokens of a word (without white space) to `sum`; how many there were.
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
