//! The archive: the tier that outlives the browser's session.

use super::{Fut, RunId, StoreError, StoredBatch};

/// A run that has data in the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchivedRun {
    /// The run's id.
    pub run: RunId,
    /// The text that [`Archive::describe`] last stored for it; `None` if there is none or it is
    /// empty.
    pub digest: Option<String>,
}

/// Journals on disk. In Chrome this is `IndexedDB`.
///
/// The content is not trusted. A batch or digest that is not text is returned as an empty text,
/// which makes only that run unreadable. Entries that have no batch's key are ignored.
///
/// The archive contains *the same batches under the same numbers* as [`super::Store`]: a journal is
/// the union of both, by number. A database may hang and never answer, so callers must limit their
/// wait.
pub trait Archive {
    /// Lists every run that has a batch or a digest, in no particular order.
    fn list(&self) -> Fut<Result<Vec<ArchivedRun>, StoreError>>;
    /// The batches of a run, in order.
    fn load(&self, run: &RunId) -> Fut<Result<Vec<StoredBatch>, StoreError>>;
    /// Stores batches, all of them or none; a batch that is already filed is replaced. The digests
    /// of the runs don't change.
    fn file(&self, batches: Vec<StoredBatch>) -> Fut<Result<(), StoreError>>;
    /// Stores a digest of a run for lists; an empty text removes it.
    fn describe(&self, run: &RunId, digest: String) -> Fut<Result<(), StoreError>>;
    /// Removes a run's batches and digest.
    fn erase(&self, run: &RunId) -> Fut<Result<(), StoreError>>;
    /// Stores batches that can't be read, apart from all runs, for export.
    fn quarantine(&self, batches: Vec<StoredBatch>) -> Fut<Result<(), StoreError>>;
    /// The batches that were set aside, in order.
    fn damaged_batches(&self) -> Fut<Result<Vec<StoredBatch>, StoreError>>;
    /// Removes everything, including the batches that were set aside.
    fn clear(&self) -> Fut<Result<(), StoreError>>;
}
