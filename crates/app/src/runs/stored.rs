//! The part of storage that this life knows.
//!
//! A worker is born with the contents of session storage ([`LoadState::SessionBatches`]). The first use asks
//! the disk once. If it answers completely, everything is known ([`LoadState::Whole`]). If not
//! ([`LoadState::Partly`]), nothing waits for it any more, and requests for everything ask it again.

use super::Runs;
use super::description::{Catalogue, RunDescription};
use super::tiers::StorageTiers;
use gloss_durable::sorted::SortedMap;
use gloss_durable::{RunId, StoredBatch};
use std::cell::Ref;

/// Batches in session storage of runs that are not loaded yet.
pub(super) type SessionBatches = SortedMap<RunId, Vec<StoredBatch>>;

/// The progress of this life in loading what is stored.
pub(super) enum LoadState {
    /// Session storage was read, and the disk was not asked since. `filed` is the list from before
    /// that.
    Found {
        found: SessionBatches,
        filed: Option<Catalogue>,
    },
    /// The disk was asked and did not answer completely; incomplete runs wait in `found`.
    Partly {
        found: SessionBatches,
        filed: Option<Catalogue>,
    },
    /// Everything is loaded or listed.
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

    /// Replaces the contents of session storage.
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

/// The completeness of the disk's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Completeness {
    All,
    NotAll,
}

impl StorageTiers {
    /// The filed runs; `None` until the archive was listed.
    pub(super) fn filed(&self) -> Option<Ref<'_, Catalogue>> {
        Ref::filter_map(self.stored.borrow(), LoadState::filed).ok()
    }

    /// Replaces the description of a filed run.
    pub(super) fn describe(&self, run: &RunId, digest: Option<RunDescription>) {
        if let Some(filed) = self.stored.borrow_mut().filed_mut() {
            filed.insert(run.clone(), digest);
        }
    }

    /// Adds a filed run that may not be described yet.
    pub(super) fn add_filed(&self, run: &RunId) {
        if let Some(filed) = self.stored.borrow_mut().filed_mut() {
            filed.or_default(run.clone());
        }
    }

    /// Removes a run that is no longer filed.
    pub(super) fn forget(&self, run: &RunId) {
        if let Some(filed) = self.stored.borrow_mut().filed_mut() {
            filed.remove(run);
        }
    }

    /// Stores the list of filed runs.
    pub(super) fn list(&self, listed: Catalogue) {
        match &mut *self.stored.borrow_mut() {
            LoadState::Found { filed, .. } | LoadState::Partly { filed, .. } => {
                *filed = Some(listed);
            }
            LoadState::Whole { filed } => *filed = listed,
        }
    }

    /// Replaces the batches in session storage of runs that are not loaded.
    pub(super) fn find(&self, found: SessionBatches) {
        self.stored.borrow_mut().find(found);
    }

    /// The batches in session storage of runs that are not loaded.
    pub(super) fn found(&self) -> SessionBatches {
        let stored = self.stored.borrow();
        stored.found().cloned().unwrap_or_default()
    }

    /// Removes a run that is loaded now.
    pub(super) fn take(&self, run: &RunId) {
        match &mut *self.stored.borrow_mut() {
            LoadState::Found { found, .. } | LoadState::Partly { found, .. } => {
                found.remove(run);
            }
            LoadState::Whole { .. } => {}
        }
    }

    /// Notes that the disk was asked, and if it answered completely.
    pub(super) fn finish_list(&self, told: Completeness) {
        let mut stored = self.stored.borrow_mut();
        *stored = match stored.take() {
            (found, Some(filed)) if told == Completeness::All && found.is_empty() => {
                LoadState::Whole { filed }
            }
            (found, filed) => LoadState::Partly { found, filed },
        };
    }

    /// Notes that everything was erased.
    pub(super) fn clear(&self) {
        self.stored.replace(LoadState::Whole {
            filed: Catalogue::new(),
        });
        self.unreadable.borrow_mut().clear();
        self.erasing.set(false);
        self.erasures.set(self.erasures.get() + 1);
    }

    /// Returns true if the disk was not asked yet.
    pub(super) fn is_unasked(&self) -> bool {
        matches!(&*self.stored.borrow(), LoadState::Found { .. })
    }

    pub(super) fn is_whole(&self) -> bool {
        matches!(&*self.stored.borrow(), LoadState::Whole { .. })
    }
}

impl Runs {
    /// Returns true if the disk was asked and did not answer completely.
    pub(crate) fn is_partly_known(&self) -> bool {
        matches!(&*self.tiers.stored.borrow(), LoadState::Partly { .. })
    }

    /// Returns true if session storage holds batches of runs that are not loaded.
    pub(super) fn has_found(&self) -> bool {
        let stored = self.tiers.stored.borrow();
        stored.found().is_some_and(|found| !found.is_empty())
    }

    /// Returns true if session storage holds batches of this run and it is not loaded.
    pub(super) fn is_found(&self, run: &RunId) -> bool {
        let stored = self.tiers.stored.borrow();
        let found = stored.found();
        found.is_some_and(|found| found.contains_key(run))
    }

    /// Returns true if a run is filed.
    pub(super) fn is_filed(&self, run: &RunId) -> bool {
        let filed = self.tiers.filed();
        filed.is_some_and(|filed| filed.contains_key(run))
    }
}
