//! The stores of journals and of large bodies.

use super::Fut;
use serde::{Deserialize, Serialize};
use std::fmt;
use thiserror::Error;

/// A run's id. The surface that requests the run creates a unique id. A command that is sent twice
/// has the same id, so it starts only one run.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunId(pub String);

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One write of a journal: records that are stored together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredBatch {
    /// The run that the batch belongs to.
    pub run: RunId,
    /// The batch's number in the journal, from 0.
    pub number: u64,
    /// The records: a checksum, and a JSON array.
    pub records: String,
}

/// Storage for small records. In Chrome this is `storage.session`, which is emptied when the
/// browser restarts or the extension is updated or reloaded.
pub trait Store {
    /// Returns all batches, in no particular order.
    fn load_all(&self) -> Fut<Result<Vec<StoredBatch>, StoreError>>;
    /// Stores a new batch. The write is issued before this returns. Batches are stored in the order
    /// of the calls, or not at all.
    fn append(&self, batch: StoredBatch) -> Fut<Result<(), StoreError>>;
    /// Removes a run's batches.
    fn erase(&self, run: &RunId) -> Fut<Result<(), StoreError>>;
    /// Removes the batches of a run that have these numbers. The removal is issued before this
    /// returns.
    fn release(&self, run: &RunId, numbers: Vec<u64>) -> Fut<Result<(), StoreError>>;
    /// Stores a small text under a name that differs from every batch's key. The new text replaces
    /// the previous one; an empty text removes it. The write is issued before this returns.
    fn put_text(&self, name: &'static str, text: String) -> Fut<Result<(), StoreError>>;
    /// Returns the small text that [`Store::put_text`] stored under a name.
    fn text(&self, name: &'static str) -> Fut<Result<Option<String>, StoreError>>;
}

/// Large bodies under the hash of their content. In Chrome this is `IndexedDB`.
pub trait Blobs {
    /// Stores `body` under `hash`. If the body is stored already, nothing changes.
    fn put(&self, hash: &str, body: String) -> Fut<Result<(), StoreError>>;
    /// Returns the body, if it is stored.
    fn get(&self, hash: &str) -> Fut<Result<Option<String>, StoreError>>;
    /// Removes a body.
    fn remove(&self, hash: &str) -> Fut<Result<(), StoreError>>;
    /// Removes every body except the named ones.
    fn retain(&self, hashes: Vec<String>) -> Fut<Result<(), StoreError>>;
}

/// A failed access to storage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum StoreError {
    /// The storage is full. Nothing of the batch or body was stored.
    #[error("the storage is full")]
    Full,
    /// The browser denies access to storage, or the storage doesn't answer within the time limit.
    #[error("storage is denied: {message}")]
    Denied {
        /// The browser's message.
        message: String,
    },
    /// A record can't be read or written.
    #[error("a stored record is unreadable: {message}")]
    Corrupt {
        /// The error in the record.
        message: String,
    },
}
