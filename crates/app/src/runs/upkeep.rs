//! Keeping stored data within its limits.

use super::{Run, Runs, description};
use gloss_agent::failure;
use gloss_durable::sorted::{SortedSet, sort_by_key};
use gloss_durable::{RunId, body_hashes};

/// The most bytes of finished runs that cannot be filed, out of the 10 MB of Chrome's session
/// storage; also the most bytes of runs in this worker's memory. Each birth of the worker reads all
/// of session storage.
const MAX_SESSION_BYTES: usize = 2 * 1024 * 1024;

/// The most bytes of filed runs, with page texts. The oldest conversations go first.
const MAX_ARCHIVE_BYTES: u64 = 100 * 1024 * 1024;

impl Runs {
    /// Keeps stored data within its limits: the oldest ended runs go first, and each large body
    /// goes with the last run that names it.
    pub(super) async fn make_room(&self) {
        let mut asked = SortedSet::new();
        while let Some(run) = self.oldest_over_limit() {
            if asked.insert(run.clone()) {
                // The disk may accept it by now.
                self.file(&run).await;
                continue;
            }
            self.hub.warn(failure("runs_dropped"));
            // A run that could not be erased now is loaded, and erased, in a later life.
            let _ = self.erase_runs(&SortedSet::from([run])).await;
            self.hub.refresh();
        }
        let filed = self.tiers.filed();
        let old = filed.map_or_else(SortedSet::new, |filed| {
            description::conversations_over_limit(&filed, MAX_ARCHIVE_BYTES)
        });
        let goes = |old: &&RunId| !self.hub.is_shown(old) && self.rests(old);
        for conversation in old.iter().filter(goes) {
            let _ = self.erase_conversation(conversation).await;
        }
    }

    /// Returns true if no run of a conversation is unfinished.
    fn rests(&self, conversation: &RunId) -> bool {
        let runs = self.known.borrow();
        let mut turns = runs
            .values()
            .filter(|run| run.conversation == *conversation);
        turns.all(Run::is_at_rest)
    }

    /// The oldest finished run that exceeds the limit on session storage because the disk refuses
    /// it. A run that is being filed leaves session storage by itself and does not count.
    fn oldest_over_limit(&self) -> Option<RunId> {
        let runs = self.known.borrow();
        let stays = |run: &&Run| run.is_hot() && run.journal.is_refused();
        let total: usize = runs.values().filter(stays).map(Run::bytes).sum();
        if total <= MAX_SESSION_BYTES {
            return None;
        }
        let ended = runs.iter().filter(|(id, run)| {
            run.is_hot() && run.has_ended() && !run.holds_messages() && !self.is_filed(id)
        });
        let mut ended: Vec<(u64, &RunId, &Run)> = ended
            .map(|(id, run)| (run.begun_at_ms(), id, run))
            .collect();
        sort_by_key(&mut ended, |(begun_at_ms, id, _)| (*begun_at_ms, *id));
        // The newest stays, however large.
        ended.pop();
        let mut doomed = ended.into_iter().filter(|(_, _, run)| stays(run));
        doomed.next().map(|(_, id, _)| id.clone())
    }

    /// Removes a filed run from memory.
    pub(super) fn unload(&self, run: &RunId) {
        self.known.borrow_mut().remove(run);
        self.hub.unload(run);
    }

    /// Erases large bodies that no run names any more, unless the names are not all known.
    pub(super) async fn sweep_bodies(&self) {
        if self.has_found() || self.tiers.damaged.get() {
            return;
        }
        let fetched = gloss_web::kept_names(&*self.host.store).await;
        if let Some(mut named) = self.named_bodies() {
            named.extend(fetched);
            // Bodies that could not be erased now go with a later sweep.
            let _ = self.within(self.host.blobs.retain(named)).await;
        }
    }

    /// Every named body; `None` if the filed runs are not all known.
    fn named_bodies(&self) -> Option<Vec<String>> {
        let runs = self.known.borrow();
        let mut named = SortedSet::new();
        for (run, digest) in &*self.tiers.filed()? {
            match digest {
                Some(digest) => named.extend(digest.bodies.keys().cloned()),
                None if runs.contains_key(run) => {}
                None => return None,
            }
        }
        for run in runs.values() {
            named.extend(run.journal.read(body_hashes));
            // Bodies that are stored already while their record is still being written.
            named.extend(run.journal.kept().into_iter().map(|(hash, _)| hash));
        }
        Some(named.into_iter().collect())
    }

    /// Sweeps large bodies after session storage was emptied, because a page's text must not
    /// outlive a run that was not filed.
    pub(crate) async fn sweep(&self) {
        if self.empty.replace(false) {
            self.sweep_bodies().await;
        }
    }
}

impl Run {
    /// Returns true if session storage holds a part of the run.
    pub(super) fn is_hot(&self) -> bool {
        self.journal.is_in_session()
    }
}
