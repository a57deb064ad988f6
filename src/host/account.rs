//! What the person's own machines share through their account of the browser.

use super::{Fut, StoreError};

/// The most that an item may hold, its name included, in bytes as JSON (`chrome.storage.sync`:
/// 8 192).
pub const ITEM_BYTES: usize = 8_000;

/// The most that all items may hold together, in bytes as JSON (102 400).
pub const ALL_BYTES: usize = 100_000;

/// How many items there may be (512).
pub const ITEMS: usize = 500;

/// Small texts by name. In Chrome this is `storage.sync`; where the person does not sync, it is
/// another place on this machine.
pub trait Account {
    /// All that is shared.
    fn all(&self) -> Fut<Result<Vec<(String, String)>, StoreError>>;
    /// Shares these texts, all or none.
    fn put(&self, items: Vec<(String, String)>) -> Fut<Result<(), StoreError>>;
    /// Takes these away.
    fn remove(&self, names: Vec<String>) -> Fut<Result<(), StoreError>>;
}
