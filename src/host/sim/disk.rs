//! What survives lives: batches and bodies, and the ways they go wrong.

use super::queue::{Kind, NotBefore, Queue};
use crate::host::{Blobs, Fut, RunId, Secret, Store, StoreError, StoredBatch};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Storage as it stands, outside any life.
#[derive(Default)]
pub(super) struct Disk {
    pub(super) batches: BTreeMap<(RunId, u64), String>,
    pub(super) blobs: BTreeMap<String, String>,
    pub(super) shelf: BTreeMap<String, String>,
    /// By name, with the origin that each was given for.
    pub(super) secrets: BTreeMap<String, (String, Secret)>,
    pub(super) writes: u64,
    pub(super) blob_writes: u64,
    pub(super) refused_at: Option<u64>,
    pub(super) faults: Faults,
}

/// What storage refuses.
#[derive(Default)]
pub(super) struct Faults {
    pub(super) denied: Option<StoreError>,
    pub(super) writes_after: Option<(u64, StoreError)>,
    pub(super) one_write: Option<(u64, StoreError)>,
    pub(super) blobs_after: Option<(u64, StoreError)>,
}

impl Disk {
    pub(super) fn readable(&self) -> Result<(), StoreError> {
        self.faults.denied.clone().map_or(Ok(()), Err)
    }

    /// Counts a write of the journals, and refuses it if it is to fail.
    fn write(&mut self) -> Result<(), StoreError> {
        self.readable()?;
        let number = self.writes;
        self.writes += 1;
        if let Some((after, error)) = &self.faults.writes_after
            && number >= *after
        {
            return Err(error.clone());
        }
        match &self.faults.one_write {
            Some((which, error)) if *which == number => Err(error.clone()),
            _ => Ok(()),
        }
    }

    fn write_blob(&mut self) -> Result<(), StoreError> {
        self.readable()?;
        let number = self.blob_writes;
        self.blob_writes += 1;
        match &self.faults.blobs_after {
            Some((after, error)) if number >= *after => Err(error.clone()),
            _ => Ok(()),
        }
    }
}

/// Both stores of one worker.
pub(super) struct SimStore {
    pub(super) queue: Rc<Queue>,
    pub(super) disk: Rc<RefCell<Disk>>,
}

impl SimStore {
    pub(super) fn issue<T: 'static>(
        &self,
        kind: Kind,
        happen: impl FnOnce(&mut Disk) -> Result<T, StoreError> + 'static,
    ) -> Fut<Result<T, StoreError>> {
        let disk = self.disk.clone();
        let queue = self.queue.clone();
        self.queue.issue(kind, NotBefore::default(), move || {
            let mut disk = disk.borrow_mut();
            let result = happen(&mut disk);
            if result.is_err() {
                disk.refused_at.get_or_insert(queue.ticks());
            }
            result
        })
    }
}

const JOURNALS: Kind = Kind::Write("journals");
const BODIES: Kind = Kind::Write("bodies");

impl Store for SimStore {
    fn load_all(&self) -> Fut<Result<Vec<StoredBatch>, StoreError>> {
        let queue = self.queue.clone();
        self.issue(Kind::Local, move |disk| {
            disk.readable()?;
            let mut batches = stored(disk);
            queue.shuffle(&mut batches);
            Ok(batches)
        })
    }

    fn append(&self, batch: StoredBatch) -> Fut<Result<(), StoreError>> {
        self.issue(JOURNALS, move |disk| {
            disk.write()?;
            disk.batches
                .insert((batch.run, batch.number), batch.records);
            Ok(())
        })
    }

    fn erase(&self, run: &RunId) -> Fut<Result<(), StoreError>> {
        let run = run.clone();
        self.issue(JOURNALS, move |disk| {
            disk.readable()?;
            disk.batches.retain(|(owner, _), _| *owner != run);
            Ok(())
        })
    }
}

impl Blobs for SimStore {
    fn put(&self, hash: &str, body: String) -> Fut<Result<(), StoreError>> {
        let hash = hash.to_owned();
        self.issue(BODIES, move |disk| {
            disk.write_blob()?;
            disk.blobs.entry(hash).or_insert(body);
            Ok(())
        })
    }

    fn get(&self, hash: &str) -> Fut<Result<Option<String>, StoreError>> {
        let hash = hash.to_owned();
        self.issue(Kind::Local, move |disk| {
            disk.readable()?;
            Ok(disk.blobs.get(&hash).cloned())
        })
    }

    fn retain(&self, hashes: Vec<String>) -> Fut<Result<(), StoreError>> {
        self.issue(BODIES, move |disk| {
            disk.readable()?;
            disk.blobs.retain(|hash, _| hashes.contains(hash));
            Ok(())
        })
    }
}

/// Every batch, by run and number.
pub(super) fn stored(disk: &Disk) -> Vec<StoredBatch> {
    let batch = |((run, number), records): (&(RunId, u64), &String)| StoredBatch {
        run: run.clone(),
        number: *number,
        records: records.clone(),
    };
    disk.batches.iter().map(batch).collect()
}
