//! Journals that can't be read. The user sees one warning, and can export the stored journals.

use super::Runs;
use gloss_agent::Failure;
use gloss_durable::{RunId, StoredBatch, Unreadable};

impl Runs {
    /// Stores the batches of an unreadable journal separately, for export.
    pub(super) async fn set_aside(
        &self,
        run: &RunId,
        batches: Vec<StoredBatch>,
        unreadable: &Unreadable,
    ) {
        let why = unreadable.clone();
        self.tiers.unreadable.borrow_mut().insert(run.clone(), why);
        self.tiers.damaged.set(true);
        self.hub.warn(Failure::of_journal(unreadable));
        self.hub.refresh();
        let Some(archive) = self.archive() else {
            return;
        };
        let kept = self.ask_archive(archive.quarantine(batches)).await;
        if kept.is_some() {
            let _ = self.host.store.erase(run).await;
            let _ = self.ask_archive(archive.erase(run)).await;
            self.tiers.forget(run);
        }
        self.count_unfinished();
    }
}
