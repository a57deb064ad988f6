//! API keys, kept apart from everything that is shown, logged or exported.

use super::Secret;
use gloss_durable::sorted::SortedMap;
use gloss_durable::{Fut, StoreError};
use thiserror::Error;

/// Read access to keys, for code that is about to send one.
///
/// A key belongs to the origin that it was entered for, such as `https://api.example`, and is
/// stored with it. The caller names the origin that it is about to send the key to.
pub trait Secrets {
    /// Returns the key with this name; `None` if it was entered for another origin.
    fn get(&self, name: &str, origin: &str) -> Fut<Result<Option<Secret>, KeyError>>;
}

/// The reason for which a key can't be read or stored.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum KeyError {
    /// The keys are sealed with a passphrase that was not entered in this browser session.
    #[error("the keys are locked")]
    Locked,
    /// Storage refuses.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Storage for keys: texts by name. In Chrome there are two, in `storage.local` and
/// `storage.session`; no page and no content script can reach either.
pub trait KeyStorageArea {
    /// All names and texts.
    fn all(&self) -> Fut<Result<SortedMap<String, String>, StoreError>>;
    /// Stores a text, replacing the previous one. The write is issued before this returns; writes
    /// are stored in the order of their calls.
    fn put(&self, name: &str, text: &str) -> Fut<Result<(), StoreError>>;
    /// Removes these texts.
    fn remove(&self, names: Vec<String>) -> Fut<Result<(), StoreError>>;
}

/// The cryptography that seals keys with a passphrase. In Chrome this is `WebCrypto`: PBKDF2 with
/// SHA-256, then AES-256-GCM.
pub trait Cipher {
    /// Returns a new salt as hexadecimal digits.
    ///
    /// # Errors
    /// No random numbers are available.
    fn salt(&self) -> Result<String, StoreError>;
    /// Derives a sealing key from a passphrase; the same salt and number of rounds give the same
    /// key.
    fn derive(
        &self,
        passphrase: &Secret,
        salt: &str,
        rounds: u32,
    ) -> Fut<Result<Secret, StoreError>>;
    /// Encrypts a text and binds it to `about`. Each result is different.
    fn seal(&self, key: &Secret, text: &Secret, about: &str) -> Fut<Result<String, StoreError>>;
    /// Decrypts a text; `None` if it was sealed with another key, bound to another `about`, or
    /// changed.
    fn open(
        &self,
        key: &Secret,
        sealed: &str,
        about: &str,
    ) -> Fut<Result<Option<Secret>, StoreError>>;
}
