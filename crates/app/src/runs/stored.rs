//! The stored runs that this worker has loaded or listed. A loaded run has its journal in memory; a
//! listed run is only known to be on disk.
//!
//! When a worker starts, it reads session storage. The first action that needs more reads the disk
//! once. If the disk answers all requests, every run is loaded or listed. Otherwise later actions
//! don't wait for the disk. Only a request for all runs then reads the disk again.

use super::Runs;
use super::description::{Catalogue, RunDescription};
use super::tiers::StorageTiers;
use gloss_durable::sorted::SortedMap;
use gloss_durable::{RunId, StoredBatch};
use std::cell::Ref;

pub(super) type SessionBatches = SortedMap<RunId, Vec<StoredBatch>>;

/// The progress of this worker in loading the stored runs.
#[derive(Default)]
pub(super) struct StoredRuns {
    /// The batches in session storage of runs that are not loaded.
    found: SessionBatches,
    /// The last list of the runs on disk; `None` until the disk was listed.
    filed: Option<Catalogue>,
    /// `None` if the disk has not been read since session storage was last read. `All` if every run
    /// is loaded, or listed in `filed`.
    told: Option<Completeness>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Completeness {
    All,
    NotAll,
}

impl StorageTiers {
    /// Returns the list of the runs on disk; `None` until the archive was listed.
    pub(super) fn filed(&self) -> Option<Ref<'_, Catalogue>> {
        Ref::filter_map(self.stored.borrow(), |stored| stored.filed.as_ref()).ok()
    }

    /// Replaces the description of a run on disk.
    pub(super) fn describe(&self, run: &RunId, digest: Option<RunDescription>) {
        if let Some(filed) = &mut self.stored.borrow_mut().filed {
            filed.insert(run.clone(), digest);
        }
    }

    /// Adds a run to the list of runs on disk. The run may have no description yet.
    pub(super) fn add_filed(&self, run: &RunId) {
        if let Some(filed) = &mut self.stored.borrow_mut().filed {
            filed.or_default(run.clone());
        }
    }

    /// Removes a run that is no longer on disk from the list.
    pub(super) fn forget(&self, run: &RunId) {
        if let Some(filed) = &mut self.stored.borrow_mut().filed {
            filed.remove(run);
        }
    }

    /// Replaces the list of the runs on disk.
    pub(super) fn list(&self, listed: Catalogue) {
        self.stored.borrow_mut().filed = Some(listed);
    }

    /// Replaces the batches of runs that are in session storage but not loaded.
    pub(super) fn find(&self, found: SessionBatches) {
        let mut stored = self.stored.borrow_mut();
        if !found.is_empty() {
            stored.told = None;
        }
        stored.found = found;
    }

    /// Returns the batches of runs that are in session storage but not loaded.
    pub(super) fn found(&self) -> SessionBatches {
        self.stored.borrow().found.clone()
    }

    /// Removes the batches of a run that has been loaded.
    pub(super) fn take(&self, run: &RunId) {
        self.stored.borrow_mut().found.remove(run);
    }

    /// Sets the state after the disk was read. `told` is `All` if the disk answered all requests.
    pub(super) fn finish_list(&self, told: Completeness) {
        let mut stored = self.stored.borrow_mut();
        let is_whole = stored.found.is_empty() && stored.filed.is_some();
        let told = if is_whole { told } else { Completeness::NotAll };
        stored.told = Some(told);
    }

    /// Sets the state after everything was erased.
    pub(super) fn clear(&self) {
        self.stored.replace(StoredRuns {
            found: SessionBatches::new(),
            filed: Some(Catalogue::new()),
            told: Some(Completeness::All),
        });
        self.unreadable.borrow_mut().clear();
        self.erasing.set(false);
        self.erasures.set(self.erasures.get() + 1);
    }

    /// Returns true if the disk has not been read since session storage was last read.
    pub(super) fn is_unasked(&self) -> bool {
        self.stored.borrow().told.is_none()
    }

    pub(super) fn is_whole(&self) -> bool {
        self.stored.borrow().told == Some(Completeness::All)
    }
}

impl Runs {
    /// Returns true if the disk was read but did not answer all requests.
    pub(crate) fn is_partly_known(&self) -> bool {
        self.tiers.stored.borrow().told == Some(Completeness::NotAll)
    }

    /// Returns true if session storage contains batches of runs that are not loaded.
    pub(super) fn has_found(&self) -> bool {
        !self.tiers.stored.borrow().found.is_empty()
    }

    /// Returns true if session storage contains batches of this run and the run is not loaded.
    pub(super) fn is_found(&self, run: &RunId) -> bool {
        self.tiers.stored.borrow().found.contains_key(run)
    }

    /// Returns true if a run is on disk.
    pub(super) fn is_filed(&self, run: &RunId) -> bool {
        let filed = self.tiers.filed();
        filed.is_some_and(|filed| filed.contains_key(run))
    }
}
