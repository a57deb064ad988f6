//! API keys. They are stored separately from all data that is shown, logged or exported.

use super::Secret;
use gloss_durable::{Fut, StoreError};
use thiserror::Error;

/// Read access to keys, for code that sends a key to a server.
///
/// A key is stored for one origin, such as `https://api.example`. The caller passes the origin to
/// which it will send the key.
pub trait Secrets {
    /// Returns the key with this name. Returns `None` if there is no such key, or if the key was
    /// stored for another origin.
    fn get(&self, name: &str, origin: &str) -> Fut<Result<Option<Secret>, KeyError>>;
}

/// The reason that a key can't be read or stored.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum KeyError {
    /// The keys are sealed, and the passphrase has not been entered in this browser session.
    #[error("the keys are locked")]
    Locked,
    /// The storage refuses.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The cryptography that seals keys with a passphrase. In Chrome this is `WebCrypto`: PBKDF2 with
/// SHA-256 derives a key, and AES-256-GCM encrypts.
pub trait Cipher {
    /// Returns a new salt as hexadecimal digits.
    ///
    /// # Errors
    /// No random numbers are available.
    fn salt(&self) -> Result<String, StoreError>;
    /// Derives a sealing key from a passphrase. The same passphrase, salt and number of rounds give
    /// the same key.
    fn derive(
        &self,
        passphrase: &Secret,
        salt: &str,
        rounds: u32,
    ) -> Fut<Result<Secret, StoreError>>;
    /// Encrypts a text. `about` is data such as a name and an origin. The result can be decrypted
    /// only with the same `about`. Each call returns a different result.
    fn seal(&self, key: &Secret, text: &Secret, about: &str) -> Fut<Result<String, StoreError>>;
    /// Decrypts a text. Returns `None` if the text was changed, or was sealed with another key or
    /// another `about`.
    fn open(
        &self,
        key: &Secret,
        sealed: &str,
        about: &str,
    ) -> Fut<Result<Option<Secret>, StoreError>>;
}
