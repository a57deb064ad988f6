//! Reads numbers from the bytes of a packed model. All numbers are little-endian.
//!
//! `xtask/src/build/sentence_model.rs` writes the file.

/// The reason for which bytes can't be read as a model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// The bytes don't begin like a model of this version.
    #[error("this is no packed sentence model of this version")]
    Magic,
    /// The bytes end too early, or contradict each other.
    #[error("the sentence model is damaged")]
    Damaged,
}

/// The bytes of a packed model, and how many of them have been read.
pub(crate) struct Packed {
    bytes: Vec<u8>,
    read: usize,
}

impl Packed {
    pub(crate) fn new(bytes: Vec<u8>) -> Self {
        Self { bytes, read: 0 }
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&[u8], LoadError> {
        let from = self.read;
        self.read = from.saturating_add(count);
        self.bytes.get(from..self.read).ok_or(LoadError::Damaged)
    }

    pub(crate) fn number(&mut self) -> Result<usize, LoadError> {
        Ok(self.numbers(1)?.first().map_or(0, |it| *it as usize))
    }

    pub(crate) fn numbers(&mut self, count: usize) -> Result<Vec<u32>, LoadError> {
        self.words(count, u32::from_le_bytes)
    }

    pub(crate) fn floats(&mut self, count: usize) -> Result<Vec<f32>, LoadError> {
        self.words(count, f32::from_le_bytes)
    }

    /// Returns the bytes that were not read yet, if there are `count`. They aren't copied.
    pub(crate) fn rest(self, count: usize) -> Result<Rest, LoadError> {
        let is_whole = self.bytes.len().checked_sub(self.read) == Some(count);
        is_whole.then_some(Rest(self)).ok_or(LoadError::Damaged)
    }

    fn words<T>(&mut self, count: usize, of: fn([u8; 4]) -> T) -> Result<Vec<T>, LoadError> {
        let bytes = self.take(count.saturating_mul(4))?;
        Ok(bytes.as_chunks().0.iter().map(|word| of(*word)).collect())
    }
}

/// The last bytes of a packed model.
pub(crate) struct Rest(Packed);

impl Rest {
    pub(crate) fn bytes(&self) -> &[u8] {
        self.0.bytes.get(self.0.read..).unwrap_or_default()
    }
}
