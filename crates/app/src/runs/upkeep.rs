//! Keeps the amount of stored data within its limits.

use super::{Run, Runs, description};
use gloss_agent::failure;
use gloss_durable::sorted::{SortedSet, sort_by_key};
use gloss_durable::{RunId, body_hashes};

/// The limit for finished runs that only session storage contains, in bytes. Chrome limits session
/// storage to 10 MB, and each start of the worker reads all of it. The same limit applies to the
/// runs in this worker's memory.
const MAX_SESSION_BYTES: usize = 2 * 1024 * 1024;

/// The limit for runs on disk with their page texts, in bytes. The oldest conversations are erased
/// first.
const MAX_ARCHIVE_BYTES: u64 = 100 * 1024 * 1024;

impl Runs {
    /// Keeps stored data within its limits. The oldest finished runs are erased first. A large body
    /// is erased with the last run that uses it.
    pub(super) async fn make_room(&self) {
        let mut asked = SortedSet::new();
        while let Some(run) = self.oldest_over_limit() {
            if asked.insert(run.clone()) {
                // The archive refused the run before; it may accept it now.
                self.file(&run).await;
                continue;
            }
            self.hub.warn(failure("runs_dropped"));
            // If the run can't be erased now, a later life loads and erases it.
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

    /// Returns true if the conversation has no unfinished run.
    fn rests(&self, conversation: &RunId) -> bool {
        let runs = self.known.borrow();
        let mut turns = runs
            .values()
            .filter(|run| run.conversation == *conversation);
        turns.all(Run::is_at_rest)
    }

    /// Returns the oldest finished run to erase from session storage; `None` if the limit is kept.
    /// Only runs that the archive refuses count. Other runs will leave session storage by filing.
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
        // The newest run stays, however large it is.
        ended.pop();
        let mut doomed = ended.into_iter().filter(|(_, _, run)| stays(run));
        doomed.next().map(|(_, id, _)| id.clone())
    }

    /// Removes a run that is on disk from memory.
    pub(super) fn unload(&self, run: &RunId) {
        self.known.borrow_mut().remove(run);
        self.hub.unload(run);
    }

    /// Erases the large bodies that no run uses. Does nothing if a stored run may be unknown.
    pub(super) async fn sweep_bodies(&self) {
        if self.has_found() || self.tiers.damaged.get() {
            return;
        }
        let fetched = gloss_web::kept_names(&*self.host.store).await;
        if let Some(mut named) = self.named_bodies() {
            named.extend(fetched);
            // If bodies can't be erased now, a later sweep erases them.
            let _ = self.within(self.host.blobs.retain(named)).await;
        }
    }

    /// The hashes of all bodies that runs use. `None` if the runs on disk are not all known.
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
            // A body is stored before the record that refers to it.
            named.extend(
                run.journal
                    .stored_bodies()
                    .into_iter()
                    .map(|(hash, _)| hash),
            );
        }
        Some(named.into_iter().collect())
    }

    /// Erases unused large bodies if session storage was empty at the start. The page texts of a
    /// run must not stay stored after a run that was only in session storage.
    pub(crate) async fn sweep(&self) {
        if self.empty.replace(false) {
            self.sweep_bodies().await;
        }
    }
}

impl Run {
    /// Returns true if session storage contains a batch of the run.
    pub(super) fn is_hot(&self) -> bool {
        self.journal.is_in_session()
    }
}
