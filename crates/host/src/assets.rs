//! Files of the package that are loaded only when something needs them.

use gloss_durable::Fut;

/// A file of the package could not be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name} cannot be loaded: {message}")]
pub struct AssetError {
    /// Which.
    pub name: String,
    /// What the browser says.
    pub message: String,
}

/// What lies in the package beside the code. It never changes while this worker lives.
pub trait Assets {
    /// The bytes of a file, named from the package's root.
    fn load(&self, name: &'static str) -> Fut<Result<Vec<u8>, AssetError>>;
}
