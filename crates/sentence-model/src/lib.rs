#![doc = include_str!("../README.md")]

mod comparer;
mod network;
mod normalise;
mod packed;
mod pieces;

pub use comparer::Comparer;
pub use network::DIMENSIONS;
pub use packed::LoadError;

use network::Network;
use normalise::Normaliser;
use packed::Packed;
use pieces::Pieces;

/// The first bytes of a packed model. The last digit is the version of the format.
const MAGIC: &[u8] = b"sentences1";

/// The size of a packed model. With another size, loading only needs more memory.
pub const FILE_BYTES: usize = 81_612_751;

/// The model: multilingual USE v3.
pub struct SentenceModel {
    normaliser: Normaliser,
    pieces: Pieces,
    network: Network,
}

/// The vector of a text. Its length is 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Vector(Vec<f32>);

impl SentenceModel {
    /// Reads a model that `cargo xtask build` has packed.
    ///
    /// # Errors
    /// Returns a [`LoadError`] if the bytes aren't a whole model.
    pub fn read(bytes: Vec<u8>) -> Result<Self, LoadError> {
        let mut packed = Packed::new(bytes);
        if packed.take(MAGIC.len())? != MAGIC {
            return Err(LoadError::Magic);
        }
        let normaliser = Normaliser::read(&mut packed)?;
        let pieces = Pieces::read(&mut packed)?;
        let network = Network::read(packed)?;
        Ok(Self {
            normaliser,
            pieces,
            network,
        })
    }

    /// Returns the vector of each text, in order.
    pub fn embed(&self, texts: &[&str]) -> Vec<Vector> {
        let normalised = texts.iter().map(|text| self.normaliser.normalised(text));
        let ids = normalised.map(|text| self.pieces.ids(&text));
        ids.map(|ids| self.network.vector(&ids)).collect()
    }
}

impl Vector {
    /// The components.
    pub fn parts(&self) -> &[f32] {
        &self.0
    }

    /// Returns the cosine of the angle between two vectors: 1 for texts of the same meaning.
    pub fn cosine(&self, other: &Self) -> f32 {
        dot(&self.0, &other.0)
    }
}

fn dot(some: &[f32], others: &[f32]) -> f32 {
    sum(some.iter().zip(others).map(|(a, b)| a * b))
}

/// Adds numbers in a fixed order, so that the result is the same on every machine. There are eight
/// sums, because a processor can compute them in parallel.
fn sum(numbers: impl Iterator<Item = f32>) -> f32 {
    let mut sums = [0.0; 8];
    for (at, number) in numbers.enumerate() {
        if let Some(sum) = sums.get_mut(at % 8) {
            *sum += number;
        }
    }
    sums.iter().sum()
}
