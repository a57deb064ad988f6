//! Where journals and large bodies are kept.

use super::Fut;
use serde::{Deserialize, Serialize};
use std::fmt;
use thiserror::Error;

/// A run's name: unique, made by the surface that asked for it, so that a
/// command sent twice starts one run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunId(pub String);

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One write of a journal: records that landed together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredBatch {
    /// Whose it is.
    pub run: RunId,
    /// Its place in the journal, from 0.
    pub number: u64,
    /// A JSON array of records.
    pub records: String,
}

/// Small records, appended. In Chrome this is `storage.session`, which is gone when
/// the browser restarts, or the extension is updated or reloaded.
pub trait Store {
    /// Every batch there is, in no particular order.
    fn load_all(&self) -> Fut<Result<Vec<StoredBatch>, StoreError>>;
    /// Appends a batch. The write is issued before this returns: writes land in
    /// the order of their calls or not at all.
    fn append(&self, batch: StoredBatch) -> Fut<Result<(), StoreError>>;
    /// Removes a run's batches.
    fn erase(&self, run: &RunId) -> Fut<Result<(), StoreError>>;
    /// Removes these batches of a run. Issued before this returns, as appending is.
    fn release(&self, run: &RunId, numbers: Vec<u64>) -> Fut<Result<(), StoreError>>;
    /// Keeps a small text under a name that no batch has, over what was; an empty one
    /// takes it away. Issued before this returns, as appending is.
    fn keep(&self, name: &'static str, text: String) -> Fut<Result<(), StoreError>>;
    /// The text under a name.
    fn kept(&self, name: &'static str) -> Fut<Result<Option<String>, StoreError>>;
}

/// Large bodies under the hash of their content. In Chrome this is `IndexedDB`.
pub trait Blobs {
    /// Keeps `body` under `hash`; keeping it again changes nothing.
    fn put(&self, hash: &str, body: String) -> Fut<Result<(), StoreError>>;
    /// The body, if it is there.
    fn get(&self, hash: &str) -> Fut<Result<Option<String>, StoreError>>;
    /// Removes a body.
    fn remove(&self, hash: &str) -> Fut<Result<(), StoreError>>;
    /// Removes every body but those named.
    fn retain(&self, hashes: Vec<String>) -> Fut<Result<(), StoreError>>;
}

/// Why something could not be kept or found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum StoreError {
    /// The quota is used up; the write was refused whole.
    #[error("the storage is full")]
    Full,
    /// The browser denies storage.
    #[error("storage is denied: {message}")]
    Denied {
        /// The browser's words.
        message: String,
    },
    /// A record that cannot be read.
    #[error("a stored record is unreadable: {message}")]
    Corrupt {
        /// What is wrong with it.
        message: String,
    },
}
