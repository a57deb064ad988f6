//! The stored runs that this worker has loaded or listed. A loaded run has its journal in memory; a
//! listed run is only known to be on disk.
//!
//! When a worker starts, it reads session storage ([`LoadState::Found`]). The disk is read once,
//! for the first action that needs other runs. If the disk answers all requests, every run is
//! loaded or listed ([`LoadState::Whole`]). Otherwise ([`LoadState::Partly`]) later actions don't
//! wait for the disk. Only a request for all runs then reads the disk again.

use super::Runs;
use super::description::{Catalogue, RunDescription};
use super::tiers::StorageTiers;
use gloss_durable::sorted::SortedMap;
use gloss_durable::{RunId, StoredBatch};
use std::cell::Ref;

pub(super) type SessionBatches = SortedMap<RunId, Vec<StoredBatch>>;

/// The progress of this worker in loading the stored runs.
pub(super) enum LoadState {
    /// Session storage was read, and the disk was not read after that. `found` contains the batches
    /// of runs that are not loaded. `filed` is the last list of the runs on disk, if the disk was
    /// listed before.
    Found {
        found: SessionBatches,
        filed: Option<Catalogue>,
    },
    /// The disk was read but did not answer all requests. `found` contains the batches of runs that
    /// are therefore not loaded.
    Partly {
        found: SessionBatches,
        filed: Option<Catalogue>,
    },
    /// Every run is loaded, or listed in `filed`.
    Whole { filed: Catalogue },
}

impl Default for LoadState {
    fn default() -> Self {
        Self::Found {
            found: SessionBatches::new(),
            filed: None,
        }
    }
}

impl LoadState {
    fn found(&self) -> Option<&SessionBatches> {
        match self {
            Self::Found { found, .. } | Self::Partly { found, .. } => Some(found),
            Self::Whole { .. } => None,
        }
    }

    fn filed(&self) -> Option<&Catalogue> {
        match self {
            Self::Found { filed, .. } | Self::Partly { filed, .. } => filed.as_ref(),
            Self::Whole { filed } => Some(filed),
        }
    }

    fn filed_mut(&mut self) -> Option<&mut Catalogue> {
        match self {
            Self::Found { filed, .. } | Self::Partly { filed, .. } => filed.as_mut(),
            Self::Whole { filed } => Some(filed),
        }
    }

    fn take(&mut self) -> (SessionBatches, Option<Catalogue>) {
        match std::mem::take(self) {
            Self::Found { found, filed } | Self::Partly { found, filed } => (found, filed),
            Self::Whole { filed } => (SessionBatches::new(), Some(filed)),
        }
    }

    /// Replaces the batches that were last read from session storage.
    fn find(&mut self, anew: SessionBatches) {
        match self {
            Self::Found { found, .. } => *found = anew,
            Self::Partly { found, .. } if anew.is_empty() => found.clear(),
            Self::Whole { .. } if anew.is_empty() => {}
            Self::Partly { .. } | Self::Whole { .. } => {
                let (_, filed) = self.take();
                *self = Self::Found { found: anew, filed };
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Completeness {
    All,
    NotAll,
}

impl StorageTiers {
    /// Returns the list of the runs on disk; `None` until the archive was listed.
    pub(super) fn filed(&self) -> Option<Ref<'_, Catalogue>> {
        Ref::filter_map(self.stored.borrow(), LoadState::filed).ok()
    }

    /// Replaces the description of a run on disk.
    pub(super) fn describe(&self, run: &RunId, digest: Option<RunDescription>) {
        if let Some(filed) = self.stored.borrow_mut().filed_mut() {
            filed.insert(run.clone(), digest);
        }
    }

    /// Adds a run to the list of runs on disk. The run may have no description yet.
    pub(super) fn add_filed(&self, run: &RunId) {
        if let Some(filed) = self.stored.borrow_mut().filed_mut() {
            filed.or_default(run.clone());
        }
    }

    /// Removes a run that is no longer on disk from the list.
    pub(super) fn forget(&self, run: &RunId) {
        if let Some(filed) = self.stored.borrow_mut().filed_mut() {
            filed.remove(run);
        }
    }

    /// Replaces the list of the runs on disk.
    pub(super) fn list(&self, listed: Catalogue) {
        match &mut *self.stored.borrow_mut() {
            LoadState::Found { filed, .. } | LoadState::Partly { filed, .. } => {
                *filed = Some(listed);
            }
            LoadState::Whole { filed } => *filed = listed,
        }
    }

    /// Replaces the batches of runs that are in session storage but not loaded.
    pub(super) fn find(&self, found: SessionBatches) {
        self.stored.borrow_mut().find(found);
    }

    /// Returns the batches of runs that are in session storage but not loaded.
    pub(super) fn found(&self) -> SessionBatches {
        let stored = self.stored.borrow();
        stored.found().cloned().unwrap_or_default()
    }

    /// Removes the batches of a run that has been loaded.
    pub(super) fn take(&self, run: &RunId) {
        match &mut *self.stored.borrow_mut() {
            LoadState::Found { found, .. } | LoadState::Partly { found, .. } => {
                found.remove(run);
            }
            LoadState::Whole { .. } => {}
        }
    }

    /// Sets the state after the disk was read. `told` is `All` if the disk answered all requests.
    pub(super) fn finish_list(&self, told: Completeness) {
        let mut stored = self.stored.borrow_mut();
        *stored = match stored.take() {
            (found, Some(filed)) if told == Completeness::All && found.is_empty() => {
                LoadState::Whole { filed }
            }
            (found, filed) => LoadState::Partly { found, filed },
        };
    }

    /// Sets the state after everything was erased.
    pub(super) fn clear(&self) {
        self.stored.replace(LoadState::Whole {
            filed: Catalogue::new(),
        });
        self.unreadable.borrow_mut().clear();
        self.erasing.set(false);
        self.erasures.set(self.erasures.get() + 1);
    }

    /// Returns true if the disk has not been read since session storage was last read.
    pub(super) fn is_unasked(&self) -> bool {
        matches!(&*self.stored.borrow(), LoadState::Found { .. })
    }

    pub(super) fn is_whole(&self) -> bool {
        matches!(&*self.stored.borrow(), LoadState::Whole { .. })
    }
}

impl Runs {
    /// Returns true if the disk was read but did not answer all requests.
    pub(crate) fn is_partly_known(&self) -> bool {
        matches!(&*self.tiers.stored.borrow(), LoadState::Partly { .. })
    }

    /// Returns true if session storage contains batches of runs that are not loaded.
    pub(super) fn has_found(&self) -> bool {
        let stored = self.tiers.stored.borrow();
        stored.found().is_some_and(|found| !found.is_empty())
    }

    /// Returns true if session storage contains batches of this run and the run is not loaded.
    pub(super) fn is_found(&self, run: &RunId) -> bool {
        let stored = self.tiers.stored.borrow();
        let found = stored.found();
        found.is_some_and(|found| found.contains_key(run))
    }

    /// Returns true if a run is on disk.
    pub(super) fn is_filed(&self, run: &RunId) -> bool {
        let filed = self.tiers.filed();
        filed.is_some_and(|filed| filed.contains_key(run))
    }
}
