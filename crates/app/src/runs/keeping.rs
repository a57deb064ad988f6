//! "Keep history": whether anything outlives the session.
//!
//! Turned off, what this session works at or shows comes back from the disk whole,
//! and everything else that is filed goes: finished conversations, and those that an
//! earlier session left unfinished. From then on nothing is filed, so that a browser's
//! end is the end of every conversation. What could not be read stays, for export.
//!
//! The disk stays open until that is done: a worker that dies in the middle leaves
//! both tiers to be read together, and its successor begins with what is left of it.

use super::Runs;
use super::digest::Catalogue;
use gloss_durable::sorted::SortedSet;
use gloss_durable::{RunId, StoreError};

/// Whether runs are filed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum History {
    /// They are.
    #[default]
    Kept,
    /// The person turned it off: what is filed is being cleared.
    Closing,
    /// They are not, and nothing of before is left.
    Off,
}

impl Runs {
    /// How history is set when a worker is born.
    pub(crate) fn set_history(&self, kept: bool) {
        let history = if kept {
            History::Kept
        } else {
            History::Closing
        };
        self.tiers.history.set(history);
    }

    /// History is turned on or off.
    ///
    /// # Errors
    /// When the disk refuses: what it did not give back is there still.
    pub(crate) async fn keep_history(&self, kept: bool) -> Result<(), StoreError> {
        if kept {
            // Runs begun from now on are filed, and with the next life the others.
            self.tiers.history.set(History::Kept);
            return Ok(());
        }
        if self.tiers.history.get() == History::Kept {
            self.tiers.history.set(History::Closing);
        }
        self.close_history().await
    }

    /// Clears what is filed, if that is still to be done.
    ///
    /// # Errors
    /// Those of [`Runs::keep_history`].
    pub(crate) async fn close_history(&self) -> Result<(), StoreError> {
        if self.tiers.history.get() != History::Closing {
            return Ok(());
        }
        self.take_up().await;
        for conversation in self.hub.all_current() {
            self.turn_to(&conversation).await;
        }
        let _one = self.tiers.taking_up.lock().await;
        // Anew each time: a run may have begun meanwhile.
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
        // What is on its way there is in no list yet.
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

    /// The runs that are not over, and those of the conversations that a tab shows.
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
        known.get(run).is_some_and(|run| run.journal.files())
    }

    /// Brings what is filed of a run back into the session. It is filed no more.
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
            journal.stands(vec![batch.clone()], &SortedSet::new());
            self.host.store.append(batch).await?;
        }
        Ok(())
    }
}
