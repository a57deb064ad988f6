//! The archive: storage for journals that outlasts the browser session.

use super::{Fut, RunId, StoreError, StoredBatch};

/// A run that has data in the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchivedRun {
    /// The run's id.
    pub run: RunId,
    /// The short description that [`Archive::describe`] last stored for the run. `None` if there is
    /// no description, or the description is empty.
    pub digest: Option<String>,
}

/// Journals on disk. In Chrome this is `IndexedDB`.
///
/// The stored data may be damaged. A batch that is not text is returned as an empty string, not as
/// an error. Reading its run then fails, but other runs can still be read. A description that is
/// not text counts as missing. Entries whose key is not the key of a batch are ignored.
///
/// A batch has the same number in the archive and in [`super::Store`]. A batch may be in either
/// storage or in both, so a reader of a journal merges the batches of both by number. The database
/// may never answer a request, so callers must use a timeout.
pub trait Archive {
    /// Lists every run that has a batch or a description, in no particular order.
    fn list(&self) -> Fut<Result<Vec<ArchivedRun>, StoreError>>;
    /// Returns the batches of a run, in order.
    fn load(&self, run: &RunId) -> Fut<Result<Vec<StoredBatch>, StoreError>>;
    /// Stores batches: all of them or none. A batch that is already in the archive is replaced. The
    /// descriptions of the runs don't change.
    fn file(&self, batches: Vec<StoredBatch>) -> Fut<Result<(), StoreError>>;
    /// Stores the short description that lists of runs show for this run. An empty text removes the
    /// description.
    fn describe(&self, run: &RunId, digest: String) -> Fut<Result<(), StoreError>>;
    /// Removes a run's batches and its description.
    fn erase(&self, run: &RunId) -> Fut<Result<(), StoreError>>;
    /// Stores unreadable batches separately from the runs, so that the user can still export them.
    fn quarantine(&self, batches: Vec<StoredBatch>) -> Fut<Result<(), StoreError>>;
    /// Returns the unreadable batches that [`Archive::quarantine`] stored, in order.
    fn damaged_batches(&self) -> Fut<Result<Vec<StoredBatch>, StoreError>>;
    /// Removes everything, including the unreadable batches.
    fn clear(&self) -> Fut<Result<(), StoreError>>;
}
