//! Erases runs from session storage and the archive. The runs are stopped first, so that no later
//! write restores them.

use super::{Run, RunState, Runs};
use gloss_durable::sorted::SortedSet;
use gloss_durable::{RunId, Stop, StoreError};

/// The time between two checks whether stopped runs have written their last records, in
/// milliseconds.
const STOP_POLL_MS: u64 = 20;
/// The maximum number of these checks. One check is nearly always enough, because a stop cancels
/// everything in flight.
const MAX_STOP_POLLS: u32 = 100;

impl Runs {
    /// Records in session storage that an erasure of all data has begun. If the worker dies, the
    /// next worker of the browser session finishes the erasure.
    ///
    /// Returns an error if storage refuses the record. Then nothing is erased.
    pub(crate) async fn begin_erasure(&self) -> Result<(), StoreError> {
        let mark = super::ERASING.to_owned();
        self.host.store.put_text(super::PLACES, mark).await
    }

    /// Returns true if the last worker died during an erasure of all data. A second call returns
    /// false.
    pub(crate) fn was_erasing(&self) -> bool {
        self.tiers.erasing.take()
    }

    pub(crate) async fn stop_all(&self) {
        self.stop_matching(|_| true).await;
    }

    /// Stops active runs and erases all runs, bodies, caches and the usage ledger.
    ///
    /// Returns an error if storage refuses. Some data may already be erased.
    pub(crate) async fn erase(&self) -> Result<(), StoreError> {
        let _one = self.tiers.taking_up.lock().await;
        self.stop_all().await;
        for run in self.known.borrow().values() {
            run.journal.stop_filing();
        }
        self.known.borrow_mut().clear();
        self.hub.erase();
        let session = self.erase_session().await;
        // The archive is cleared even if history is off, because it may contain earlier runs.
        let filed = match &self.host.archive {
            Some(archive) => self.within(archive.clear()).await,
            None => Ok(()),
        };
        // Erasing all data also removes the settings, which contain the monthly limit. The recorded
        // costs are removed with them, so the month starts again at 0.
        let spent = self.services.ledger.erase().await;
        let fetched = self
            .host
            .store
            .put_text(gloss_web::FETCHED, String::new())
            .await;
        let bodies = self.within(self.host.blobs.retain(Vec::new())).await;
        let searched = self.forget_searches().await;
        let mut erased = session.and(filed).and(fetched).and(searched);
        erased = erased.and(bodies).and(spent);
        if erased.is_ok() {
            // The record that an erasure has begun is removed last.
            erased = self.host.store.put_text(super::PLACES, String::new()).await;
        }
        self.tiers.clear();
        self.count_unfinished();
        self.let_worker_sleep();
        erased
    }

    async fn erase_session(&self) -> Result<(), StoreError> {
        let stored = self.host.store.load_all().await?;
        let runs: SortedSet<RunId> = stored.into_iter().map(|batch| batch.run).collect();
        for run in &runs {
            self.host.store.erase(run).await?;
        }
        Ok(())
    }

    /// Erases one conversation: its runs in session storage and on disk, and the page texts that no
    /// other run uses. Active runs of the conversation are stopped first.
    ///
    /// Returns an error if storage refuses. Some data may already be erased.
    pub(crate) async fn erase_conversation(&self, conversation: &RunId) -> Result<(), StoreError> {
        self.load_all().await;
        self.stop_matching(|run| run.conversation == *conversation)
            .await;
        let _one = self.tiers.taking_up.lock().await;
        let runs = self.runs_of(conversation);
        let erased = self.erase_runs(&runs).await;
        self.count_unfinished();
        self.hub.refresh();
        self.keep_places().await;
        erased
    }

    fn runs_of(&self, conversation: &RunId) -> SortedSet<RunId> {
        let known = self.known.borrow();
        let here = known
            .iter()
            .filter(|(_, run)| run.conversation == *conversation);
        let mut runs: SortedSet<RunId> = here.map(|(id, _)| id.clone()).collect();
        if let Some(filed) = self.tiers.filed() {
            runs.extend(super::description::turns_of(&filed, conversation));
        }
        runs
    }

    /// Erases runs that are not being executed. Session storage is erased before the disk. If the
    /// worker dies in between, the journals on disk are still complete.
    ///
    /// Returns an error if storage refuses. Some data may already be erased.
    pub(super) async fn erase_runs(&self, runs: &SortedSet<RunId>) -> Result<(), StoreError> {
        for run in runs {
            if let Some(known) = self.known.borrow_mut().remove(run) {
                known.journal.stop_filing();
            }
            self.hub.forget(run);
        }
        let mut erased = Ok(());
        for run in runs {
            erased = erased.and(self.host.store.erase(run).await);
            if let Some(archive) = &self.host.archive {
                erased = erased.and(self.within(archive.erase(run)).await);
            }
            self.tiers.forget(run);
        }
        erased = erased.and(self.services.episodes.forget(runs).await);
        self.tiers.erasures.set(self.tiers.erasures.get() + 1);
        // Gloss doesn't record which conversation fetched a page. All cached pages are therefore
        // removed, and are fetched again if needed.
        let fetched = self
            .host
            .store
            .put_text(gloss_web::FETCHED, String::new())
            .await;
        erased = erased.and(fetched).and(self.forget_searches().await);
        self.sweep_bodies().await;
        erased
    }

    async fn forget_searches(&self) -> Result<(), StoreError> {
        let name = gloss_web::search::SEARCHED;
        self.host.store.put_text(name, String::new()).await
    }

    /// Stops the active runs for which `wanted` returns true, and waits for their last writes.
    async fn stop_matching(&self, wanted: impl Fn(&Run) -> bool) {
        for _ in 0..MAX_STOP_POLLS {
            // The list is read again each time, because an unread message may have begun a new
            // turn.
            let at_work = self.active(&wanted);
            if at_work.is_empty() {
                break;
            }
            for run in &at_work {
                let withdrawn = self.withdraw_all(run);
                self.stop(run, Stop::User);
                withdrawn.await;
            }
            self.host.clock.sleep(STOP_POLL_MS).await;
        }
    }

    /// Returns the runs that write records now, or will write some when they are executed.
    fn active(&self, wanted: impl Fn(&Run) -> bool) -> Vec<RunId> {
        let runs = self.known.borrow();
        let at_work = runs
            .iter()
            .filter(|(_, run)| wanted(run))
            .filter(|(_, run)| run.standing == RunState::Driven || run.can_be_driven());
        at_work.map(|(id, _)| id.clone()).collect()
    }
}
