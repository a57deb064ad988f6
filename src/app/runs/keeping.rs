//! "Keep history": whether anything outlives the session.
//!
//! Turned off, what this session works at or shows comes back from the disk whole,
//! and everything else that is filed goes: finished conversations, and those that an
//! earlier session left unfinished. From then on nothing is filed, so that a browser's
//! end is the end of every conversation. What could not be read stays, for export.

use super::Runs;
use super::digest::Catalogue;
use crate::host::{RunId, StoreError};
use std::collections::BTreeSet;

impl Runs {
    /// How history is set when a worker is born. Off, nobody waits for the disk.
    pub(in crate::app) async fn set_history(&self, kept: bool) {
        self.tiers.closed.set(!kept);
        if !kept {
            self.take_up().await;
        }
    }

    /// History is turned on or off.
    ///
    /// # Errors
    /// When the disk refuses: what it did not give back is there still.
    pub(in crate::app) async fn keep_history(&self, kept: bool) -> Result<(), StoreError> {
        if kept != self.tiers.closed.get() {
            return Ok(());
        }
        if kept {
            // Runs begun from now on are filed, and with the next life the others.
            self.tiers.closed.set(false);
            return Ok(());
        }
        self.take_up().await;
        for run in self.of_this_session() {
            self.bring_home(&run).await?;
        }
        let home = self.of_this_session();
        let filed: BTreeSet<RunId> = match &*self.tiers.catalogue.borrow() {
            Some(catalogue) => catalogue.keys().cloned().collect(),
            None => BTreeSet::new(),
        };
        self.tiers.closed.set(true);
        let gone: BTreeSet<RunId> = filed.difference(&home).cloned().collect();
        let mut erased = self.erase_runs(&gone).await;
        if let Some(archive) = &self.host.archive {
            for run in filed.intersection(&home) {
                erased = erased.and(self.within(archive.erase(run)).await);
            }
        }
        self.tiers.catalogue.replace(Some(Catalogue::new()));
        self.count_unfinished();
        self.hub.refresh();
        erased
    }

    /// The runs that are not over, and those of the conversations that a tab shows.
    fn of_this_session(&self) -> BTreeSet<RunId> {
        let known = self.known.borrow();
        let here = known
            .iter()
            .filter(|(_, run)| !run.has_ended() || self.hub.is_current(&run.conversation));
        here.map(|(id, _)| id.clone()).collect()
    }

    /// Brings what is filed of a run back into the session. It is filed no more.
    async fn bring_home(&self, run: &RunId) -> Result<(), StoreError> {
        let Some(journal) = self.journal(run) else {
            return Ok(());
        };
        journal.stop_filing();
        if let Some(archive) = &self.host.archive {
            for batch in self.within(archive.load(run)).await? {
                journal.stands(vec![batch.clone()], &BTreeSet::new());
                self.host.store.append(batch).await?;
            }
        }
        Ok(())
    }
}
