//! What stays on this machine beyond the browser's session: settings.

use gloss_durable::{Fut, StoreError};

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
