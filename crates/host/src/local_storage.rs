//! Local storage for settings, which outlives the browser session.

use gloss_durable::{Fut, StoreError};

/// Small JSON texts by name. In Chrome this is `storage.local`, which no page and no content script
/// can reach.
pub trait LocalStorage {
    /// The text that is stored under a name.
    fn get(&self, name: &str) -> Fut<Result<Option<String>, StoreError>>;
    /// Stores a text, replacing the previous one. The write is issued before this returns; writes
    /// are stored in the order of their calls.
    fn put(&self, name: &str, text: String) -> Fut<Result<(), StoreError>>;
    /// Removes the text under a name.
    fn remove(&self, name: &str) -> Fut<Result<(), StoreError>>;
    /// Removes all texts.
    fn clear(&self) -> Fut<Result<(), StoreError>>;
}
