//! What is stored, as far as this life knows.
//!
//! A worker is born with what the session holds ([`Stored::Found`]). Who does anything
//! has the disk asked first, once: it tells all ([`Stored::Whole`]), or it does not
//! ([`Stored::Partly`]); then nobody waits for it any more, and those who ask for what
//! there is have it asked again.

use super::Runs;
use super::digest::{Catalogue, Digest};
use super::tiers::Tiers;
use gloss_durable::sorted::SortedMap;
use gloss_durable::{RunId, StoredBatch};
use std::cell::Ref;

/// What the session holds of runs that are not taken up.
pub(super) type Found = SortedMap<RunId, Vec<StoredBatch>>;

/// How far this life has come in taking up what is stored.
pub(super) enum Stored {
    /// The session was read, and the disk not asked since; `filed` is what it listed
    /// before that.
    Found {
        found: Found,
        filed: Option<Catalogue>,
    },
    /// The disk was asked, and did not tell all: what could not be completed waits.
    Partly {
        found: Found,
        filed: Option<Catalogue>,
    },
    /// Everything is taken up or listed.
    Whole { filed: Catalogue },
}

impl Default for Stored {
    fn default() -> Self {
        Self::Found {
            found: Found::new(),
            filed: None,
        }
    }
}

impl Stored {
    fn found(&self) -> Option<&Found> {
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

    fn take(&mut self) -> (Found, Option<Catalogue>) {
        match std::mem::take(self) {
            Self::Found { found, filed } | Self::Partly { found, filed } => (found, filed),
            Self::Whole { filed } => (Found::new(), Some(filed)),
        }
    }

    /// The session was read anew.
    fn find(&mut self, anew: Found) {
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

/// Whether the disk told all that was asked of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    All,
    NotAll,
}

impl Tiers {
    /// What is filed; `None` until the archive was listed.
    pub(super) fn filed(&self) -> Option<Ref<'_, Catalogue>> {
        Ref::filter_map(self.stored.borrow(), Stored::filed).ok()
    }

    /// What is said of a filed run changed.
    pub(super) fn describe(&self, run: &RunId, digest: Option<Digest>) {
        if let Some(filed) = self.stored.borrow_mut().filed_mut() {
            filed.insert(run.clone(), digest);
        }
    }

    /// A run is filed, and may not be described yet.
    pub(super) fn filed_now(&self, run: &RunId) {
        if let Some(filed) = self.stored.borrow_mut().filed_mut() {
            filed.or_default(run.clone());
        }
    }

    /// Nothing of a run is filed any more.
    pub(super) fn forget(&self, run: &RunId) {
        if let Some(filed) = self.stored.borrow_mut().filed_mut() {
            filed.remove(run);
        }
    }

    /// The archive was listed.
    pub(super) fn list(&self, listed: Catalogue) {
        match &mut *self.stored.borrow_mut() {
            Stored::Found { filed, .. } | Stored::Partly { filed, .. } => *filed = Some(listed),
            Stored::Whole { filed } => *filed = listed,
        }
    }

    /// The session was read anew: what it holds of runs that are not taken up.
    pub(super) fn find(&self, found: Found) {
        self.stored.borrow_mut().find(found);
    }

    /// What the session holds of runs that are not taken up.
    pub(super) fn found(&self) -> Found {
        let stored = self.stored.borrow();
        stored.found().cloned().unwrap_or_default()
    }

    /// A run is taken up.
    pub(super) fn take(&self, run: &RunId) {
        match &mut *self.stored.borrow_mut() {
            Stored::Found { found, .. } | Stored::Partly { found, .. } => {
                found.remove(run);
            }
            Stored::Whole { .. } => {}
        }
    }

    /// The disk was asked.
    pub(super) fn asked(&self, told: Told) {
        let mut stored = self.stored.borrow_mut();
        *stored = match stored.take() {
            (found, Some(filed)) if told == Told::All && found.is_empty() => {
                Stored::Whole { filed }
            }
            (found, filed) => Stored::Partly { found, filed },
        };
    }

    /// Nothing is stored any more.
    pub(super) fn emptied(&self) {
        self.stored.replace(Stored::Whole {
            filed: Catalogue::new(),
        });
        self.unreadable.borrow_mut().clear();
        self.erasing.set(false);
        self.erasures.set(self.erasures.get() + 1);
    }

    /// Whether the disk is still to be asked for the first time.
    pub(super) fn is_unasked(&self) -> bool {
        matches!(&*self.stored.borrow(), Stored::Found { .. })
    }

    pub(super) fn is_whole(&self) -> bool {
        matches!(&*self.stored.borrow(), Stored::Whole { .. })
    }
}

impl Runs {
    /// Whether the disk was asked, and did not tell all.
    pub(crate) fn is_partly_known(&self) -> bool {
        matches!(&*self.tiers.stored.borrow(), Stored::Partly { .. })
    }

    /// Whether the session holds something that is not taken up.
    pub(super) fn has_found(&self) -> bool {
        let stored = self.tiers.stored.borrow();
        stored.found().is_some_and(|found| !found.is_empty())
    }

    /// Whether the session holds something of a run that is not taken up.
    pub(super) fn is_found(&self, run: &RunId) -> bool {
        let stored = self.tiers.stored.borrow();
        let found = stored.found();
        found.is_some_and(|found| found.contains_key(run))
    }

    /// Whether a run is filed.
    pub(super) fn is_filed(&self, run: &RunId) -> bool {
        let filed = self.tiers.filed();
        filed.is_some_and(|filed| filed.contains_key(run))
    }
}
