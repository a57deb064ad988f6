//! What stays on this machine beyond the browser's session: settings and keys.

use super::{Fut, Secret, StoreError};

/// Small JSON texts by name. In Chrome this is `storage.local`, which no page
/// and no content script can reach.
pub trait Shelf {
    /// The text under a name.
    fn get(&self, name: &str) -> Fut<Result<Option<String>, StoreError>>;
    /// Puts a text there, over what was. The write is issued before this returns:
    /// writes land in the order of their calls.
    fn put(&self, name: &str, text: String) -> Fut<Result<(), StoreError>>;
    /// Takes it away.
    fn remove(&self, name: &str) -> Fut<Result<(), StoreError>>;
    /// Takes everything away.
    fn clear(&self) -> Fut<Result<(), StoreError>>;
}

/// Keys, apart from everything that is shown, logged or exported.
///
/// A key belongs to the origin that it was given for, as in `https://api.example`, and
/// is kept with it: whoever asks for it names whom they are about to send it to.
pub trait Secrets {
    /// The key under a name; none if it was given for another origin.
    fn get(&self, name: &str, origin: &str) -> Fut<Result<Option<Secret>, StoreError>>;
    /// Keeps a key for an origin, over what was.
    fn put(&self, name: &str, origin: &str, secret: Secret) -> Fut<Result<(), StoreError>>;
    /// Forgets it.
    fn forget(&self, name: &str) -> Fut<Result<(), StoreError>>;
    /// Forgets every key.
    fn clear(&self) -> Fut<Result<(), StoreError>>;
}
