//! Erases old runs when the stored data exceeds its limits.

use super::{Run, Runs, description};
use gloss_agent::failure;
use gloss_durable::sorted::{SortedSet, sort_by_key};
use gloss_durable::{RunId, body_hashes};

/// The limit in bytes for finished runs that are only in session storage. Chrome limits session
/// storage to 10 MB, and each worker reads all of it at its start.
const MAX_SESSION_BYTES: usize = 2 * 1024 * 1024;

/// The limit in bytes for runs on disk, including their page texts. The oldest conversations are
/// erased first.
const MAX_ARCHIVE_BYTES: u64 = 100 * 1024 * 1024;

impl Runs {
    /// Erases the oldest finished runs until the stored data is within its limits. A large body is
    /// erased with the last run that uses it.
    pub(super) async fn make_room(&self) {
        let mut asked = SortedSet::new();
        while let Some(run) = self.oldest_over_limit() {
            if asked.insert(run.clone()) {
                // The archive refused this run before, but may accept it now.
                self.file(&run).await;
                continue;
            }
            self.hub.warn(failure("runs_dropped"));
            // If the run can't be erased now, a later worker erases it.
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

    /// Returns true if each loaded run of the conversation is paused, or has ended without unread
    /// messages.
    fn rests(&self, conversation: &RunId) -> bool {
        let runs = self.known.borrow();
        let mut turns = runs
            .values()
            .filter(|run| run.conversation == *conversation);
        turns.all(Run::is_at_rest)
    }

    /// Returns the oldest finished run to erase from session storage. `None` if the limit is not
    /// exceeded. Only runs that the archive refuses are counted, because other runs leave session
    /// storage when they are copied to the archive.
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
        // The newest run is not erased, even if it alone exceeds the limit.
        ended.pop();
        let mut doomed = ended.into_iter().filter(|(_, _, run)| stays(run));
        doomed.next().map(|(_, id, _)| id.clone())
    }

    pub(super) fn unload(&self, run: &RunId) {
        self.known.borrow_mut().remove(run);
        self.hub.unload(run);
    }

    /// Erases the large bodies that no run uses. Does nothing if some stored runs may be unknown,
    /// because these runs may use bodies.
    pub(super) async fn sweep_bodies(&self) {
        if self.has_found() || self.tiers.damaged.get() {
            return;
        }
        let fetched = gloss_web::kept_names(&*self.host.store).await;
        if let Some(mut named) = self.named_bodies() {
            named.extend(fetched);
            // If the bodies can't be erased now, a later call erases them.
            let _ = self.within(self.host.blobs.retain(named)).await;
        }
    }

    /// Returns the hashes of all bodies that runs use. `None` if a run on disk is neither described
    /// nor loaded.
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
            // A body is stored before the record that refers to it, so the record may not exist
            // yet.
            named.extend(
                run.journal
                    .stored_bodies()
                    .into_iter()
                    .map(|(hash, _)| hash),
            );
        }
        Some(named.into_iter().collect())
    }

    /// Erases unused large bodies if session storage was empty when the worker started. The end of
    /// a browser session erases the runs that were only in session storage, but not their page
    /// texts on disk.
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
