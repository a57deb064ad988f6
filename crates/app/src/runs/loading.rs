//! Loads the runs that earlier workers stored.

use super::{ERASING, PLACES, Run, RunState, Runs};
use crate::Panic;
use crate::hub::RunOrigin;
use futures::future::join;
use gloss_agent::Failure;
use gloss_agent::trajectory::config_of;
use gloss_durable::sorted::{SortedMap, sort_by_key};
use gloss_durable::{
    Entry, Halt, Journal, Record, RunId, Unreadable, is_parked, is_paused, last_pending_step,
    was_stopped,
};
use std::rc::Rc;

impl Runs {
    /// Reads session storage: the batches of runs that are not loaded, and the conversations of
    /// tabs.
    pub(crate) async fn load(&self, panic: Option<Panic>) {
        let (batches, places) = join(self.session(), self.host.store.text(PLACES)).await;
        let batches = match batches {
            Ok(batches) => batches,
            Err(error) => {
                self.hub.warn(Failure::of_halt(&Halt::from(error)));
                return;
            }
        };
        match places.ok().flatten() {
            Some(mark) if mark == ERASING => self.tiers.erasing.set(true),
            Some(places) => self.hub.restore_tab_conversations(&places),
            None => {}
        }
        // A call without a panic must not discard an earlier panic that is not recorded yet.
        if panic.is_some() {
            self.tiers.panic.replace(panic);
        }
        self.empty.set(batches.is_empty());
        self.find(batches);
    }

    /// Opens the journal of a run that an earlier worker stored. If a panic during this run ended
    /// that worker, the panic is recorded once.
    pub(super) fn recover(&self, run: &RunId, batches: u64, records: Vec<Record>) -> Rc<Journal> {
        let mut panic = self.tiers.panic.borrow_mut();
        let blamed = panic.take_if(|panic| panic.run.as_ref() == Some(run));
        let at = last_pending_step(&records);
        let ports = self.journal_ports();
        let journal = Journal::recovered(run.clone(), batches, records, &ports, self.hub.clone());
        if let Some(panic) = blamed {
            let message = panic.message.clone();
            journal.mark(&at, Entry::Panicked { message });
        }
        journal
    }

    /// Adds the journal of a run that an earlier worker stored. Returns the run's conversation, or
    /// `None` if the run's configuration can't be read.
    pub(super) fn add_recovered(
        &self,
        run: &RunId,
        journal: Rc<Journal>,
        stored_bytes: usize,
        seen: RunOrigin,
    ) -> Option<RunId> {
        let Some(config) = journal.read(config_of) else {
            let unreadable = Unreadable::Corrupt("no configuration".to_owned());
            self.hub.warn(Failure::of_journal(&unreadable));
            return None;
        };
        journal.read(|records| self.hub.recall(run, records, seen));
        let conversation = config.conversation;
        let recovered = Run {
            standing: standing_of(&journal),
            continue_requested: false,
            journal,
            conversation: conversation.clone(),
            stored_bytes,
        };
        let before = self.known.borrow_mut().insert(run.clone(), recovered);
        if before.is_some() {
            // Another worker has continued the run since it was loaded. Surfaces therefore show an
            // outdated state.
            self.hub.refresh();
        }
        Some(conversation)
    }

    /// Returns true if the run is loaded and no other worker executes it.
    pub(super) fn is_loaded(&self, run: &RunId) -> bool {
        let known = self.known.borrow();
        known
            .get(run)
            .is_some_and(|run| run.standing != RunState::Elsewhere)
    }
}

/// Returns the state of a run that was loaded from storage.
pub(super) fn standing_of(journal: &Journal) -> RunState {
    if journal.read(is_paused) {
        RunState::Paused
    } else if journal.read(is_parked) && !journal.read(was_stopped) {
        RunState::Parked
    } else {
        RunState::Recovered
    }
}

pub(super) type Stored = (RunId, Result<(u64, Vec<Record>), Unreadable>);

/// Sorts runs by their start time, which is the order of turns in a conversation. Their ids
/// don't contain the start time.
pub(super) fn in_order(
    stored: SortedMap<RunId, Result<(u64, Vec<Record>), Unreadable>>,
) -> Vec<Stored> {
    let mut runs: Vec<Stored> = stored.into_iter().collect();
    sort_by_key(&mut runs, |(_, journal)| {
        let records = journal.as_ref().ok().map(|(_, records)| records);
        records.and_then(|records| records.first().map(|begun| begun.at_ms))
    });
    runs
}
