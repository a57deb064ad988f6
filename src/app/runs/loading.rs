//! Taking up what earlier lives stored.

use super::{Run, Runs, Standing, brief_of};
use crate::agent::Failure;
use crate::app::Panic;
use crate::durable::{
    Entry, Halt, Journal, Record, Unreadable, is_parked, is_paused, last_pending, read_batches,
    was_stopped,
};
use crate::host::{RunId, StoredBatch};
use std::collections::BTreeMap;
use std::rc::Rc;

impl Runs {
    /// Takes up what is stored, less what this life already has.
    pub(in crate::app) async fn load(&self, panic: Option<Panic>) {
        let batches = match self.host.store.load_all().await {
            Ok(batches) => batches,
            Err(error) => {
                self.hub.warn(Failure::of_halt(&Halt::from(error)));
                return;
            }
        };
        self.empty.set(batches.is_empty());
        let sizes = sizes(&batches);
        for (run, journal) in in_order(read_batches(batches)) {
            if self.has(&run) {
                continue;
            }
            let stored_bytes = sizes.get(&run).copied().unwrap_or(0);
            match journal {
                Ok((batches, records)) => {
                    let journal = self.recover(&run, batches, records, panic.as_ref());
                    self.know(&run, journal, stored_bytes);
                }
                Err(unreadable) => self.unreadable(&unreadable),
            }
        }
    }

    /// A journal that cannot be read stays where it is, and the person is told.
    fn unreadable(&self, unreadable: &Unreadable) {
        self.hub.warn(Failure::of_journal(unreadable));
    }

    fn recover(
        &self,
        run: &RunId,
        batches: u64,
        records: Vec<Record>,
        panic: Option<&Panic>,
    ) -> Rc<Journal> {
        let blamed = panic.filter(|panic| panic.run.as_ref() == Some(run));
        let at = last_pending(&records);
        let journal =
            Journal::recovered(run.clone(), batches, records, &self.host, self.hub.clone());
        if let Some(panic) = blamed {
            let message = panic.message.clone();
            journal.mark(&at, Entry::Panicked { message });
        }
        journal
    }

    /// Takes a journal of an earlier life up, unless its configuration can't be read.
    fn know(&self, run: &RunId, journal: Rc<Journal>, stored_bytes: usize) {
        let Some(brief) = journal.read(brief_of) else {
            self.unreadable(&Unreadable::Corrupt("no configuration".to_owned()));
            return;
        };
        journal.read(|records| self.hub.recall(run, records));
        let recovered = Run {
            standing: standing_of(&journal),
            wants_on: false,
            journal,
            conversation: brief.conversation,
            stored_bytes,
        };
        let before = self.known.borrow_mut().insert(run.clone(), recovered);
        if before.is_some() {
            // Another worker went on with it meanwhile: surfaces know only its past.
            self.hub.refresh();
        }
    }

    /// Whether this life has it already, and not another worker.
    fn has(&self, run: &RunId) -> bool {
        let known = self.known.borrow();
        known
            .get(run)
            .is_some_and(|run| run.standing != Standing::Elsewhere)
    }
}

/// Where a run of an earlier life stands.
fn standing_of(journal: &Journal) -> Standing {
    if journal.read(is_paused) {
        Standing::Paused
    } else if journal.read(is_parked) && !journal.read(was_stopped) {
        Standing::Parked
    } else {
        Standing::Recovered
    }
}

/// The size of each run's batches.
fn sizes(batches: &[StoredBatch]) -> BTreeMap<RunId, usize> {
    let mut sizes = BTreeMap::new();
    for batch in batches {
        *sizes.entry(batch.run.clone()).or_default() += batch.records.len();
    }
    sizes
}

type Stored = (RunId, Result<(u64, Vec<Record>), Unreadable>);

/// Runs in the order they were begun: that of a conversation's turns, and a tab
/// shows the last. Ids say nothing of it.
fn in_order(stored: BTreeMap<RunId, Result<(u64, Vec<Record>), Unreadable>>) -> Vec<Stored> {
    let mut runs: Vec<Stored> = stored.into_iter().collect();
    runs.sort_by_key(|(_, journal)| {
        let records = journal.as_ref().ok().map(|(_, records)| records);
        records.and_then(|records| records.first().map(|begun| begun.at_ms))
    });
    runs
}
