//! Files of the extension's package that are loaded only when needed, such as public holidays.

use gloss_durable::Fut;

/// The error that a file of the package could not be loaded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name} cannot be loaded: {message}")]
pub struct AssetError {
    /// The file's path from the package's root.
    pub name: String,
    /// The browser's message.
    pub message: String,
}

/// The files of the package, except code. They don't change while the worker lives.
pub trait Assets {
    /// Loads a file's bytes; `name` is its path from the package's root.
    fn load(&self, name: &'static str) -> Fut<Result<Vec<u8>, AssetError>>;
}
