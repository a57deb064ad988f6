//! Journals that cannot be read: the person is told once, and they are kept for export.
//!
//! One that is damaged leaves the runs. One that a newer Gloss wrote stays where it is,
//! and is read again by that; until then no body goes whose name stands in it.

use super::Runs;
use crate::agent::Failure;
use crate::durable::{Unreadable, hashes_in, is_newer};
use crate::host::{Archive, RunId, StoredBatch};

impl Runs {
    /// Sets a journal aside that cannot be read.
    pub(super) async fn set_aside(
        &self,
        run: &RunId,
        batches: Vec<StoredBatch>,
        unreadable: &Unreadable,
    ) {
        let archive = self.archive();
        let why = unreadable.clone();
        self.tiers.unreadable.borrow_mut().insert(run.clone(), why);
        match unreadable {
            Unreadable::Newer(_) => {
                let named = batches.iter().flat_map(|batch| hashes_in(&batch.records));
                let newer = &self.tiers.newer;
                newer.borrow_mut().insert(run.clone(), named.collect());
                self.tiers.take(run);
                if let Some(archive) = &archive
                    && self.is_aside(&**archive, &batches).await
                {
                    return;
                }
            }
            Unreadable::Corrupt(_) => self.tiers.damaged.set(true),
        }
        self.hub.warn(Failure::of_journal(unreadable));
        self.hub.refresh();
        let Some(archive) = archive else {
            return;
        };
        let kept = self.answer_of(archive.set_aside(batches)).await;
        if kept.is_some() && matches!(unreadable, Unreadable::Corrupt(_)) {
            let _ = self.host.store.erase(run).await;
            let _ = self.answer_of(archive.erase(run)).await;
            self.tiers.forget(run);
        }
        self.count_unfinished();
    }

    /// What a newer Gloss wrote, as it was set aside: the session that held the newest of
    /// it may be over. `None` if the archive does not answer.
    pub(super) async fn newer_aside(&self) -> Option<Vec<StoredBatch>> {
        let aside = self.answer_of(self.archive()?.damaged()).await?.into_iter();
        Some(aside.filter(|batch| is_newer(&batch.records)).collect())
    }

    /// Whether an earlier look set the same aside, and told of it.
    async fn is_aside(&self, archive: &dyn Archive, batches: &[StoredBatch]) -> bool {
        let aside = self.answer_of(archive.damaged()).await;
        aside.is_some_and(|aside| batches.iter().all(|batch| aside.contains(batch)))
    }
}
