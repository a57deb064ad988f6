//! The simulated storage: session storage, the archive and the blobs, with the faults that a test
//! sets.

use super::Sim;
use super::queue::Kind;
use gloss_durable::{Archive, ArchivedRun, Blobs, Fut, RunId, Store, StoreError, StoredBatch};
use std::collections::BTreeMap;

/// The content of the storage. It outlasts the workers.
#[derive(Default)]
pub(super) struct Disk {
    /// The batches in session storage.
    pub(super) batches: Batches,
    /// The small texts in session storage ([`Store::put_text`]).
    pub(super) notes: BTreeMap<&'static str, String>,
    pub(super) archive: Filing,
    pub(super) blobs: BTreeMap<String, String>,
    pub(super) local_storage: BTreeMap<String, String>,
    pub(super) writes: u64,
    pub(super) blob_writes: u64,
    pub(super) archive_writes: u64,
    pub(super) refused_at: Option<u64>,
    pub(super) faults: Faults,
}

pub(super) type Batches = BTreeMap<(RunId, u64), String>;

#[derive(Default)]
pub(super) struct Filing {
    pub(super) batches: Batches,
    pub(super) digests: BTreeMap<RunId, Option<String>>,
    pub(super) damaged: Batches,
}

/// The faults that a test has set.
#[derive(Default)]
pub(super) struct Faults {
    pub(super) denied: Option<StoreError>,
    /// The size of session storage in bytes; `None` means Chrome's size.
    pub(super) quota: Option<usize>,
    /// The number of writes after which session storage is denied, and the error. The archive
    /// continues to work.
    pub(super) session_denied_after: Fault,
    pub(super) archive_after: Fault,
    /// True if the database, which contains the archive and the blobs, never answers.
    pub(super) archive_hangs: bool,
    pub(super) writes_after: Fault,
    pub(super) one_write: Fault,
    pub(super) blobs_after: Fault,
}

/// The number of an operation, and the error with which it and the later ones fail.
pub(super) type Fault = Option<(u64, StoreError)>;

fn due(fault: &Fault, number: u64) -> Result<(), StoreError> {
    let due = fault.as_ref().filter(|(from, _)| number >= *from);
    due.map_or(Ok(()), |(_, error)| Err(error.clone()))
}

/// Counts an operation, and fails if its fault is due.
fn count(number: &mut u64, fault: &Fault) -> Result<(), StoreError> {
    *number += 1;
    due(fault, *number - 1)
}

impl Disk {
    pub(super) fn readable(&self) -> Result<(), StoreError> {
        self.faults.denied.clone().map_or(Ok(()), Err)
    }

    /// Counts the write of a batch. Fails if a test has set a fault for this write.
    fn write(&mut self) -> Result<(), StoreError> {
        self.readable_session()?;
        let number = self.writes;
        count(&mut self.writes, &self.faults.writes_after)?;
        match &self.faults.one_write {
            Some((which, error)) if *which == number => Err(error.clone()),
            _ => Ok(()),
        }
    }

    /// Fails if a batch doesn't fit into session storage.
    fn fits(&self, batch: &StoredBatch) -> Result<(), StoreError> {
        let size = |run: &RunId, text: &str| "r/".len() + run.0.len() + text.len();
        let stored = self.batches.iter();
        let stored: usize = stored.map(|((run, _), text)| size(run, text)).sum();
        let quota = self.faults.quota.unwrap_or(super::SESSION_BYTES);
        if stored + size(&batch.run, &batch.records) > quota {
            return Err(StoreError::Full);
        }
        Ok(())
    }

    fn write_archive(&mut self) -> Result<(), StoreError> {
        self.readable()?;
        count(&mut self.archive_writes, &self.faults.archive_after)
    }

    /// Fails if reading is denied. An archive that denies writing also denies reading.
    fn readable_archive(&self) -> Result<(), StoreError> {
        self.readable()?;
        match due(&self.faults.archive_after, self.archive_writes) {
            Err(denied @ StoreError::Denied { .. }) => Err(denied),
            _ => Ok(()),
        }
    }

    fn readable_session(&self) -> Result<(), StoreError> {
        self.readable()?;
        due(&self.faults.session_denied_after, self.writes)
    }

    fn write_blob(&mut self) -> Result<(), StoreError> {
        self.readable()?;
        count(&mut self.blob_writes, &self.faults.blobs_after)
    }
}

impl Sim {
    /// Issues a request to the storage.
    pub(super) fn store<T: 'static>(
        &self,
        kind: Kind,
        happen: impl FnOnce(&mut Disk) -> Result<T, StoreError> + 'static,
    ) -> Fut<Result<T, StoreError>> {
        let (disk, queue) = (self.disk.clone(), self.queue.clone());
        self.queue.issue(kind, move || {
            let mut disk = disk.borrow_mut();
            let result = happen(&mut disk);
            if result.is_err() {
                disk.refused_at.get_or_insert(queue.ticks());
            }
            result
        })
    }

    /// Issues a request to the database. If the database hangs, the request is never answered.
    fn ask<T: 'static>(
        &self,
        kind: Kind,
        happen: impl FnOnce(&mut Disk) -> Result<T, StoreError> + 'static,
    ) -> Fut<Result<T, StoreError>> {
        if self.disk.borrow().faults.archive_hangs {
            return Box::pin(std::future::pending());
        }
        self.store(kind, happen)
    }
}

const JOURNALS: Kind = Kind::Write("journals");
const BODIES: Kind = Kind::Write("bodies");
const ARCHIVE: Kind = Kind::Write("archive");

impl Store for Sim {
    fn load_all(&self) -> Fut<Result<Vec<StoredBatch>, StoreError>> {
        let queue = self.queue.clone();
        self.store(Kind::Local, move |disk| {
            disk.readable_session()?;
            let mut batches = listed(&disk.batches);
            queue.shuffle(&mut batches);
            Ok(batches)
        })
    }

    fn append(&self, batch: StoredBatch) -> Fut<Result<(), StoreError>> {
        self.store(JOURNALS, move |disk| {
            disk.write()?;
            disk.fits(&batch)?;
            disk.batches
                .insert((batch.run, batch.number), batch.records);
            Ok(())
        })
    }

    fn erase(&self, run: &RunId) -> Fut<Result<(), StoreError>> {
        let run = run.clone();
        self.store(JOURNALS, move |disk| {
            disk.readable_session()?;
            disk.batches.retain(|(owner, _), _| *owner != run);
            Ok(())
        })
    }

    fn release(&self, run: &RunId, numbers: Vec<u64>) -> Fut<Result<(), StoreError>> {
        let run = run.clone();
        self.store(JOURNALS, move |disk| {
            disk.readable_session()?;
            for number in numbers {
                disk.batches.remove(&(run.clone(), number));
            }
            Ok(())
        })
    }

    fn put_text(&self, name: &'static str, text: String) -> Fut<Result<(), StoreError>> {
        self.store(JOURNALS, move |disk| {
            disk.readable_session()?;
            disk.notes.insert(name, text);
            disk.notes.retain(|_, text| !text.is_empty());
            Ok(())
        })
    }

    fn text(&self, name: &'static str) -> Fut<Result<Option<String>, StoreError>> {
        self.store(Kind::Local, move |disk| {
            disk.readable_session()?;
            Ok(disk.notes.get(name).cloned())
        })
    }
}

impl Archive for Sim {
    fn list(&self) -> Fut<Result<Vec<ArchivedRun>, StoreError>> {
        self.ask(Kind::Local, |disk| {
            disk.readable_archive()?;
            let mut filed = disk.archive.digests.clone();
            for (run, _) in disk.archive.batches.keys() {
                filed.entry(run.clone()).or_default();
            }
            let filed = filed.into_iter().map(|(run, digest)| ArchivedRun {
                run,
                digest: digest.filter(|digest| !digest.is_empty()),
            });
            Ok(filed.collect())
        })
    }

    fn load(&self, run: &RunId) -> Fut<Result<Vec<StoredBatch>, StoreError>> {
        let run = run.clone();
        self.ask(Kind::Local, move |disk| {
            disk.readable_archive()?;
            let batches = listed(&disk.archive.batches).into_iter();
            Ok(batches.filter(|batch| batch.run == run).collect())
        })
    }

    fn file(&self, batches: Vec<StoredBatch>) -> Fut<Result<(), StoreError>> {
        self.ask(ARCHIVE, move |disk| {
            disk.write_archive()?;
            for batch in batches {
                disk.archive.digests.entry(batch.run.clone()).or_default();
                let key = (batch.run, batch.number);
                disk.archive.batches.insert(key, batch.records);
            }
            Ok(())
        })
    }

    fn describe(&self, run: &RunId, digest: String) -> Fut<Result<(), StoreError>> {
        let run = run.clone();
        self.ask(ARCHIVE, move |disk| {
            disk.write_archive()?;
            disk.archive.digests.insert(run, Some(digest));
            Ok(())
        })
    }

    fn erase(&self, run: &RunId) -> Fut<Result<(), StoreError>> {
        let run = run.clone();
        self.ask(ARCHIVE, move |disk| {
            disk.readable_archive()?;
            disk.archive.batches.retain(|(owner, _), _| *owner != run);
            disk.archive.digests.remove(&run);
            Ok(())
        })
    }

    fn quarantine(&self, batches: Vec<StoredBatch>) -> Fut<Result<(), StoreError>> {
        self.ask(ARCHIVE, move |disk| {
            disk.write_archive()?;
            for batch in batches {
                let key = (batch.run, batch.number);
                disk.archive.damaged.insert(key, batch.records);
            }
            Ok(())
        })
    }

    fn damaged_batches(&self) -> Fut<Result<Vec<StoredBatch>, StoreError>> {
        self.ask(Kind::Local, |disk| {
            disk.readable_archive()?;
            Ok(listed(&disk.archive.damaged))
        })
    }

    fn clear(&self) -> Fut<Result<(), StoreError>> {
        self.ask(ARCHIVE, |disk| {
            disk.readable_archive()?;
            disk.archive = Filing::default();
            Ok(())
        })
    }
}

impl Blobs for Sim {
    fn put(&self, hash: &str, body: String) -> Fut<Result<(), StoreError>> {
        let hash = hash.to_owned();
        self.ask(BODIES, move |disk| {
            disk.write_blob()?;
            disk.blobs.entry(hash).or_insert(body);
            Ok(())
        })
    }

    fn get(&self, hash: &str) -> Fut<Result<Option<String>, StoreError>> {
        let hash = hash.to_owned();
        self.ask(Kind::Local, move |disk| {
            disk.readable()?;
            Ok(disk.blobs.get(&hash).cloned())
        })
    }

    fn remove(&self, hash: &str) -> Fut<Result<(), StoreError>> {
        let hash = hash.to_owned();
        self.ask(BODIES, move |disk| {
            disk.readable()?;
            disk.blobs.remove(&hash);
            Ok(())
        })
    }

    fn retain(&self, hashes: Vec<String>) -> Fut<Result<(), StoreError>> {
        self.ask(BODIES, move |disk| {
            disk.readable()?;
            disk.blobs.retain(|hash, _| hashes.contains(hash));
            Ok(())
        })
    }
}

/// Returns every batch, sorted by run and number.
pub(super) fn listed(batches: &Batches) -> Vec<StoredBatch> {
    let batch = |((run, number), records): (&(RunId, u64), &String)| StoredBatch {
        run: run.clone(),
        number: *number,
        records: records.clone(),
    };
    batches.iter().map(batch).collect()
}

/// Returns every batch in session storage and in the archive. A batch that is in both appears once.
pub(super) fn stored(disk: &Disk) -> Vec<StoredBatch> {
    let mut batches = disk.archive.batches.clone();
    batches.extend(disk.batches.clone());
    listed(&batches)
}
