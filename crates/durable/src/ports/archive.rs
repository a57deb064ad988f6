//! The second tier: what outlives the browser's session.

use super::{Fut, RunId, StoreError, StoredBatch};

/// A run of which something is filed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filed {
    /// Which.
    pub run: RunId,
    /// What [`Archive::describe`] last said of it; `None` until then, and where that was
    /// an empty text.
    pub digest: Option<String>,
}

/// The journals on disk. In Chrome this is `IndexedDB`.
///
/// What stands there may be of anybody's making: a batch or a digest that is no text is
/// given as an empty one, which is that run's trouble alone, and what has no batch's name
/// is passed over.
///
/// It holds *the same batches under the same numbers* as [`super::Store`] does:
/// a journal is read as the union of both, by number. What is asked of it may
/// never be answered (a database that hangs); whoever waits bounds the wait.
pub trait Archive {
    /// Every run of which a batch stands there, whatever its number, or that was
    /// described; in no particular order.
    fn list(&self) -> Fut<Result<Vec<Filed>, StoreError>>;
    /// A run's batches, in order.
    fn load(&self, run: &RunId) -> Fut<Result<Vec<StoredBatch>, StoreError>>;
    /// Files batches, all of them or none; one that is filed already is replaced. What
    /// is said of their runs stays.
    fn file(&self, batches: Vec<StoredBatch>) -> Fut<Result<(), StoreError>>;
    /// Says what a run is about, for those who list it; an empty text takes back what
    /// was said.
    fn describe(&self, run: &RunId, digest: String) -> Fut<Result<(), StoreError>>;
    /// Removes a run's batches and digest.
    fn erase(&self, run: &RunId) -> Fut<Result<(), StoreError>>;
    /// Keeps batches that cannot be read, apart from all runs, for export.
    fn set_aside(&self, batches: Vec<StoredBatch>) -> Fut<Result<(), StoreError>>;
    /// What was set aside, in order.
    fn damaged(&self) -> Fut<Result<Vec<StoredBatch>, StoreError>>;
    /// Removes everything, what was set aside included.
    fn clear(&self) -> Fut<Result<(), StoreError>>;
}
