//! "Keep history": the setting that lets conversations outlive the session.
//!
//! When it is turned off, the runs that are open or shown in this session are moved back from disk
//! completely. Everything else that is filed is erased: finished conversations, and those that an
//! earlier session left unfinished. From then on nothing is filed, so every conversation ends with
//! the browser. Runs that could not be read stay, for export.
//!
//! The disk stays in use until that is done. A worker that dies in between leaves both tiers to be
//! read together, and the next one continues with what is left.

use super::Runs;
use super::description::Catalogue;
use gloss_durable::sorted::SortedSet;
use gloss_durable::{RunId, StoreError};

/// The state of the setting "Keep history".
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum History {
    /// Runs are filed.
    #[default]
    Kept,
    /// The user turned it off; filed runs are being cleared.
    Closing,
    /// Runs are not filed, and no earlier ones are left.
    Off,
}

impl Runs {
    /// Applies the setting when a worker is born.
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
    /// If the disk refuses; runs that could not be moved or erased are still there.
    pub(crate) async fn keep_history(&self, kept: bool) -> Result<(), StoreError> {
        if kept {
            // Runs begun from now on are filed; older ones are from the next life on.
            self.tiers.history.set(History::Kept);
            return Ok(());
        }
        if self.tiers.history.get() == History::Kept {
            self.tiers.history.set(History::Closing);
        }
        self.close_history().await
    }

    /// Clears filed runs, if that is still to be done.
    pub(crate) async fn close_history(&self) -> Result<(), StoreError> {
        if self.tiers.history.get() != History::Closing {
            return Ok(());
        }
        self.load_all().await;
        for conversation in self.hub.all_current() {
            self.load_conversation(&conversation).await;
        }
        let _one = self.tiers.taking_up.lock().await;
        // Read again each time, because a run may have begun meanwhile.
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
        // Runs that are being filed right now are in no list yet.
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

    /// The runs that are not over, and those of the conversations that tabs show.
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

    /// Moves the filed part of a run back into session storage and stops filing it.
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
