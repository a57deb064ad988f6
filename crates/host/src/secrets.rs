//! Keys, apart from everything that is shown, logged or exported.

use super::Secret;
use gloss_durable::sorted::SortedMap;
use gloss_durable::{Fut, StoreError};
use thiserror::Error;

/// Keys for those who are about to send them.
///
/// A key belongs to the origin that it was given for, as in `https://api.example`, and
/// is kept with it: whoever asks for it names whom they are about to send it to.
pub trait Secrets {
    /// The key under a name; none if it was given for another origin.
    fn get(&self, name: &str, origin: &str) -> Fut<Result<Option<Secret>, KeyError>>;
}

/// Why a key cannot be read or kept.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum KeyError {
    /// They are under a passphrase, which was not given in this session of the browser.
    #[error("the keys are locked")]
    Locked,
    /// Storage refuses.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A place for keys: texts by name. In Chrome there are two, `storage.local` and
/// `storage.session`; no page and no content script can reach either.
pub trait Drawer {
    /// All that is in it.
    fn all(&self) -> Fut<Result<SortedMap<String, String>, StoreError>>;
    /// Puts a text there, over what was. The write is issued before this returns:
    /// writes land in the order of their calls.
    fn put(&self, name: &str, text: &str) -> Fut<Result<(), StoreError>>;
    /// Takes these away.
    fn remove(&self, names: Vec<String>) -> Fut<Result<(), StoreError>>;
}

/// What seals keys under a passphrase. In Chrome this is `WebCrypto`: PBKDF2 with
/// SHA-256, then AES-256-GCM.
pub trait Cipher {
    /// A new salt: hexadecimal digits.
    ///
    /// # Errors
    /// When there is no chance to be had.
    fn salt(&self) -> Result<String, StoreError>;
    /// What seals and opens, from a passphrase: the same for the same salt and rounds.
    fn derive(
        &self,
        passphrase: &Secret,
        salt: &str,
        rounds: u32,
    ) -> Fut<Result<Secret, StoreError>>;
    /// Seals a text, for nothing but what `about` names. No two seals are the same.
    fn seal(&self, key: &Secret, text: &Secret, about: &str) -> Fut<Result<String, StoreError>>;
    /// Opens it again; none where it was sealed by another key or about something
    /// else, or was changed.
    fn open(
        &self,
        key: &Secret,
        sealed: &str,
        about: &str,
    ) -> Fut<Result<Option<Secret>, StoreError>>;
}
