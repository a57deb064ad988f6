//! Methods with which a test sets faults of storage and accesses its content.

use super::Sim;
use super::disk::{self, Faults};
use gloss_durable::{RunId, StoreError, StoredBatch};

impl Sim {
    /// Refuses all writes of batches from number `n` on, counted from 0 over all lives.
    pub fn fail_writes_after(&self, n: u64, error: StoreError) {
        self.disk.borrow_mut().faults.writes_after = Some((n, error));
    }

    /// Refuses write number `n` of a batch, counted from 0 over all lives, and accepts later
    /// writes. Full storage behaves like this: it refuses a large batch and accepts a small one.
    pub fn fail_one_write(&self, n: u64, error: StoreError) {
        self.disk.borrow_mut().faults.one_write = Some((n, error));
    }

    /// Refuses all writes of bodies from number `n` on, counted from 0 over all lives.
    pub fn fail_blobs_after(&self, n: u64, error: StoreError) {
        self.disk.borrow_mut().faults.blobs_after = Some((n, error));
    }

    /// Sets the size of session storage in bytes. Without this call, the size is
    /// [`super::SESSION_BYTES`].
    pub fn set_quota(&self, bytes: usize) {
        self.disk.borrow_mut().faults.quota = Some(bytes);
    }

    /// Makes storage refuse every access, including reads.
    pub fn deny_storage(&self, message: &str) {
        let message = message.to_owned();
        self.disk.borrow_mut().faults.denied = Some(StoreError::Denied { message });
    }

    /// Makes session storage refuse every access after `n` writes of batches, counted over all
    /// lives. The archive continues to work.
    pub fn deny_session_after(&self, n: u64) {
        let message = "no session".to_owned();
        let denied = StoreError::Denied { message };
        self.disk.borrow_mut().faults.session_denied_after = Some((n, denied));
    }

    /// Makes the archive refuse all writes from number `n` on, counted from 0 over all lives.
    pub fn fail_archive_after(&self, n: u64, error: StoreError) {
        self.disk.borrow_mut().faults.archive_after = Some((n, error));
    }

    /// Makes the database hang: the archive and the blobs no longer answer.
    pub fn hang_archive(&self) {
        self.disk.borrow_mut().faults.archive_hangs = true;
    }

    /// Removes all faults.
    pub fn heal_storage(&self) {
        let mut disk = self.disk.borrow_mut();
        disk.faults = Faults::default();
        disk.refused_at = None;
    }

    /// Returns the tick at which storage first refused an access; `None` if it never did.
    pub fn refused_at(&self) -> Option<u64> {
        self.disk.borrow().refused_at
    }

    /// Returns every batch in session storage and in the archive, by run and number.
    pub fn batches(&self) -> Vec<StoredBatch> {
        disk::stored(&self.disk.borrow())
    }

    /// Returns the batches in session storage.
    pub fn session(&self) -> Vec<StoredBatch> {
        disk::listed(&self.disk.borrow().batches)
    }

    /// Returns the batches in the archive.
    pub fn archived(&self) -> Vec<StoredBatch> {
        disk::listed(&self.disk.borrow().archive.batches)
    }

    /// Returns the description of each run in the archive; `None` if a run has none.
    pub fn digests(&self) -> Vec<(RunId, Option<String>)> {
        let digests = self.disk.borrow().archive.digests.clone();
        digests.into_iter().collect()
    }

    /// Removes the descriptions of all runs.
    pub fn lose_digests(&self) {
        self.disk.borrow_mut().archive.digests.clear();
    }

    /// Returns the unreadable batches that [`gloss_durable::Archive::quarantine`] stored.
    pub fn set_aside(&self) -> Vec<StoredBatch> {
        disk::listed(&self.disk.borrow().archive.damaged)
    }

    /// Replaces a stored batch by the result of `to`, in each storage that contains the batch. If
    /// `to` returns `None`, the batch is removed. Does nothing if the batch doesn't exist.
    pub fn damage(&self, run: &RunId, number: u64, to: impl FnOnce(String) -> Option<String>) {
        let mut disk = self.disk.borrow_mut();
        let key = (run.clone(), number);
        let hot = disk.batches.remove(&key);
        let filed = disk.archive.batches.remove(&key);
        let stood = (hot.is_some(), filed.is_some());
        let Some(damaged) = hot.or(filed).and_then(to) else {
            return;
        };
        if stood.0 {
            disk.batches.insert(key.clone(), damaged.clone());
        }
        if stood.1 {
            disk.archive.batches.insert(key, damaged);
        }
    }

    /// Ends the browser session, as a restart of the browser or an update of the extension does.
    /// Session storage and the alarms are cleared.
    pub fn end_session(&self) {
        let mut disk = self.disk.borrow_mut();
        disk.batches.clear();
        disk.notes.clear();
        self.alarms.is_armed.set(false);
        self.alarms.ring_at_ms.set(None);
    }

    /// Returns the hashes of all stored bodies.
    pub fn blob_hashes(&self) -> Vec<String> {
        self.disk.borrow().blobs.keys().cloned().collect()
    }

    /// Returns the text in local storage with this name.
    pub fn shelved(&self, name: &str) -> Option<String> {
        self.disk.borrow().local_storage.get(name).cloned()
    }

    /// Stores a text in local storage, as another version of Gloss may have done.
    pub fn set_shelved(&self, name: &str, text: &str) {
        let mut disk = self.disk.borrow_mut();
        disk.local_storage.insert(name.to_owned(), text.to_owned());
    }

    /// Removes a stored body.
    pub fn lose_blob(&self, hash: &str) {
        self.disk.borrow_mut().blobs.remove(hash);
    }
}
