//! Files runs: moves them from session storage to the archive on disk. A run is filed when it has
//! ended, waits or is paused. A short description is stored with each filed run.

use super::description::RunDescription;
use super::{Run, Runs};
use gloss_durable::sorted::SortedMap;
use gloss_durable::{Journal, RunId, body_hashes, json};
use std::rc::Rc;

impl Runs {
    /// Copies a run that is not being executed to the archive, and stores its description. If the
    /// run has ended or is paused, it is then removed from session storage.
    pub(super) async fn file(&self, run: &RunId) {
        let Some(journal) = self.journal(run).filter(|journal| journal.has_archive()) else {
            return;
        };
        if journal.archive_all().await.is_err() || !self.is_current(&journal) {
            // The archive refused, so the run stays in session storage. The journal has notified
            // the user.
            return;
        }
        self.tiers.add_filed(run);
        if self.describe(&journal).await && self.is_current(&journal) && self.is_at_rest(run) {
            journal.release();
        }
    }

    /// Files every run in session storage that has ended or is paused.
    pub(crate) async fn file_all(&self) {
        let hot: Vec<RunId> = {
            let known = self.known.borrow();
            let hot = known.iter().filter(|(_, run)| run.journal.is_in_session());
            hot.map(|(id, _)| id.clone()).collect()
        };
        for run in hot.iter().filter(|run| self.is_at_rest(run)) {
            self.file(run).await;
        }
        // The archive has now answered for each run, so it is known which runs it refuses.
        self.make_room().await;
    }

    fn is_at_rest(&self, run: &RunId) -> bool {
        let known = self.known.borrow();
        known.get(run).is_some_and(Run::is_at_rest)
    }

    /// Returns true if `journal` is the journal that the run uses now. Returns false if the run was
    /// erased or got a new journal.
    fn is_current(&self, journal: &Rc<Journal>) -> bool {
        let current = self.journal(journal.run());
        current.is_some_and(|current| Rc::ptr_eq(&current, journal))
    }

    /// Stores a run's description in the archive. Returns false if that failed.
    async fn describe(&self, journal: &Rc<Journal>) -> bool {
        let (Some(archive), run) = (self.archive(), journal.run()) else {
            return false;
        };
        let sizes = self.sizes_of(journal).await;
        let bytes = self.known.borrow().get(run).map_or(0, Run::bytes) as u64;
        let digest = journal.read(|records| RunDescription::of(run, records, bytes, &sizes));
        let text = json::text(&digest).unwrap_or_default();
        // The run may have been erased during the await. In that case nothing may be written for
        // it.
        if !self.is_current(journal) {
            return false;
        }
        if self
            .ask_archive(archive.describe(run, text))
            .await
            .is_none()
        {
            return false;
        }
        if !self.is_current(journal) {
            return false;
        }
        self.tiers.describe(run, digest);
        self.count_unfinished();
        true
    }

    /// Returns the sizes in bytes of the large bodies that a journal refers to, by hash.
    async fn sizes_of(&self, journal: &Journal) -> SortedMap<String, u64> {
        let mut sizes: SortedMap<String, u64> = journal.stored_bodies().into_iter().collect();
        for hash in journal.read(body_hashes) {
            if sizes.contains_key(&hash) {
                continue;
            }
            let body = self.ask_archive(self.host.blobs.get(&hash)).await.flatten();
            sizes.insert(hash, body.map_or(0, |body| body.len() as u64));
        }
        sizes
    }

    /// Removes the description of a run that continues, because the description becomes outdated.
    /// After a restart of the browser, the run's journal is read instead.
    pub(super) async fn undescribe(&self, run: &RunId) {
        let Some(archive) = self.archive().filter(|_| self.is_filed(run)) else {
            return;
        };
        self.tiers.describe(run, None);
        self.ask_archive(archive.describe(run, String::new())).await;
    }
}
