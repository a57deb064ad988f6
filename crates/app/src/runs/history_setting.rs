//! The setting "Keep history". If it is on, conversations stay stored after the browser session.
//!
//! When the user turns the setting off, runs that are open or shown are moved from disk to session
//! storage. All other runs on disk are erased, even unfinished ones of earlier browser sessions.
//! After that no run is copied to disk, so every conversation ends with the browser session. Runs
//! that can't be read stay stored, so that the user can export them.
//!
//! Until the last run is moved or erased, runs are read from disk and from session storage. If the
//! worker dies before that, the next worker continues with the remaining runs.

use super::Runs;
use super::description::Catalogue;
use gloss_durable::sorted::SortedSet;
use gloss_durable::{RunId, StoreError};

/// The state of the setting "Keep history".
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum History {
    /// Runs are copied to disk.
    #[default]
    Kept,
    /// The user turned history off, and the runs on disk are not completely erased yet.
    Closing,
    /// Runs are not copied to disk, and the disk contains no runs.
    Off,
}

impl Runs {
    /// Applies the setting when the worker starts.
    pub(crate) fn set_history(&self, kept: bool) {
        let history = if kept {
            History::Kept
        } else {
            History::Closing
        };
        self.tiers.history.set(history);
    }

    /// Turns history on or off.
    ///
    /// # Errors
    /// The disk refuses. Runs that could not be moved or erased are still on disk.
    pub(crate) async fn keep_history(&self, kept: bool) -> Result<(), StoreError> {
        if kept {
            // Runs that begin from now on are copied to disk. Older runs are copied after the next
            // start of the worker.
            self.tiers.history.set(History::Kept);
            return Ok(());
        }
        if self.tiers.history.get() == History::Kept {
            self.tiers.history.set(History::Closing);
        }
        self.close_history().await
    }

    /// Erases the runs on disk if history was turned off and the runs are not erased yet.
    pub(crate) async fn close_history(&self) -> Result<(), StoreError> {
        if self.tiers.history.get() != History::Closing {
            return Ok(());
        }
        self.load_all().await;
        for conversation in self.hub.all_current() {
            self.load_conversation(&conversation).await;
        }
        let _one = self.tiers.taking_up.lock().await;
        // New runs may have begun during the await, so the list is read again after each run.
        let mut home = SortedSet::new();
        let away = |run: &RunId| self.files(run) || self.is_filed(run);
        while let Some(run) = {
            let mut here = self.of_this_session();
            here.find(|run| !home.contains(run) && away(run))
        } {
            self.bring_home(&run).await?;
            home.insert(run);
        }
        self.tiers.history.set(History::Off);
        for run in self.known.borrow().values() {
            run.journal.stop_filing();
        }
        let home: SortedSet<RunId> = self.of_this_session().collect();
        let Some(archive) = &self.host.archive else {
            return Ok(());
        };
        let listed = self.within(archive.list()).await?;
        let mut filed: SortedSet<RunId> = listed.into_iter().map(|filed| filed.run).collect();
        // The archive may not list a run yet that is being copied to it at this moment.
        filed.extend(self.known.borrow().keys().cloned());
        for run in filed {
            if !home.contains(&run) && self.is_filed(&run) {
                self.known.borrow_mut().remove(&run);
                self.hub.forget(&run);
                self.host.store.erase(&run).await?;
            }
            self.within(archive.erase(&run)).await?;
        }
        self.tiers.list(Catalogue::new());
        self.sweep_bodies().await;
        self.count_unfinished();
        self.hub.refresh();
        Ok(())
    }

    /// Returns the runs that have not ended, and the runs of the conversations that tabs show.
    fn of_this_session(&self) -> impl Iterator<Item = RunId> + use<> {
        let known = self.known.borrow();
        let here = known
            .iter()
            .filter(|(_, run)| !run.has_ended() || self.hub.is_current(&run.conversation));
        let here: Vec<RunId> = here.map(|(id, _)| id.clone()).collect();
        here.into_iter()
    }

    fn files(&self, run: &RunId) -> bool {
        let known = self.known.borrow();
        known.get(run).is_some_and(|run| run.journal.has_archive())
    }

    /// Moves a run's batches from the archive back into session storage. From then on the run is
    /// not copied to the archive.
    async fn bring_home(&self, run: &RunId) -> Result<(), StoreError> {
        let Some(journal) = self.journal(run) else {
            return Ok(());
        };
        let filed = match &self.host.archive {
            Some(archive) => self.within(archive.load(run)).await?,
            None => Vec::new(),
        };
        journal.stop_filing();
        for batch in filed {
            journal.register_stored(vec![batch.clone()], &SortedSet::new());
            self.host.store.append(batch).await?;
        }
        Ok(())
    }
}
