//! Storage for settings and other small texts. The texts outlast the browser session.

use gloss_durable::{Fut, StoreError};

/// Small JSON texts by name. In Chrome this is `storage.local`; pages and content scripts can't
/// access it.
pub trait LocalStorage {
    /// Returns the text that is stored under a name.
    fn get(&self, name: &str) -> Fut<Result<Option<String>, StoreError>>;
    /// Stores a text in place of the previous one. The write is issued before this returns. Writes
    /// are stored in the order of their calls.
    fn put(&self, name: &str, text: String) -> Fut<Result<(), StoreError>>;
    /// Removes the text under a name.
    fn remove(&self, name: &str) -> Fut<Result<(), StoreError>>;
    /// Removes all texts.
    fn clear(&self) -> Fut<Result<(), StoreError>>;
}
