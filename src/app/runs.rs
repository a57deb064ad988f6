//! The runs of this worker: exactly one drive each.
//!
//! A drive is claimed by a flag set before any await; a Web Lock is the belt
//! against another worker (DESIGN, rule 9).

use super::Panic;
use super::hub::Hub;
use crate::agent::{self, Brief, Closing, Hands};
use crate::durable::{Ctx, Entry, Halt, Journal, Path, Record, Stop, drive, read_batches};
use crate::host::{Host, RunId};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The revision of the code, noted in each run's first record.
const REVISION: &str = env!("CARGO_PKG_VERSION");

pub(super) struct Runs {
    host: Host,
    hands: Hands,
    hub: Rc<Hub>,
    runs: RefCell<BTreeMap<RunId, Run>>,
}

struct Run {
    journal: Rc<Journal>,
    driven: bool,
}

impl Runs {
    pub(super) fn new(host: Host, hands: Hands, hub: Rc<Hub>) -> Self {
        Self {
            host,
            hands,
            hub,
            runs: RefCell::default(),
        }
    }

    /// Takes up what is stored, less what this life already has.
    pub(super) async fn load(&self, panic: Option<Panic>) {
        let stored = match self.host.store.load_all().await {
            Ok(batches) => read_batches(batches),
            Err(error) => {
                self.hub.warn(agent::Failure::of_halt(&Halt::from(error)));
                return;
            }
        };
        for (run, journal) in stored {
            if self.runs.borrow().contains_key(&run) {
                continue;
            }
            match journal {
                Ok((batches, records)) => self.recover(run, batches, records, panic.as_ref()),
                Err(unreadable) => self.hub.warn(agent::Failure::of_journal(&unreadable)),
            }
        }
    }

    fn recover(&self, run: RunId, batches: u64, records: Vec<Record>, panic: Option<&Panic>) {
        self.hub.recall(&run, &records);
        let blamed = panic.filter(|panic| panic.run.as_ref() == Some(&run));
        let at = pending(&records);
        let journal =
            Journal::recovered(run.clone(), batches, records, &self.host, self.hub.clone());
        if let Some(panic) = blamed {
            let message = panic.message.clone();
            journal.mark(&at, Entry::Panicked { message });
        }
        let driven = false;
        self.runs.borrow_mut().insert(run, Run { journal, driven });
    }

    /// A new run's journal; nothing if the run exists.
    pub(super) fn begin(&self, run: &RunId, brief: &Brief) {
        if self.runs.borrow().contains_key(run) {
            return;
        }
        let journal = Journal::begin(run.clone(), brief, REVISION, &self.host, self.hub.clone());
        let driven = false;
        self.runs
            .borrow_mut()
            .insert(run.clone(), Run { journal, driven });
    }

    /// The runs that have not ended.
    pub(super) fn unfinished(&self) -> Vec<RunId> {
        let runs = self.runs.borrow();
        let unfinished = runs
            .iter()
            .filter(|(_, run)| !run.driven && !ended(&run.journal.records()));
        unfinished.map(|(id, _)| id.clone()).collect()
    }

    /// Drives a run to its end. Does nothing if it is being driven, or ended.
    pub(super) async fn drive(&self, run: &RunId) {
        let Some(journal) = self.claim(run) else {
            return;
        };
        self.host.watchdog.arm();
        if let Some(_lock) = self.host.locks.acquire(run).await {
            self.work(&journal).await;
            self.release(run);
        } else {
            // Another worker owns it: what is known here will be out of date.
            self.runs.borrow_mut().remove(run);
        }
        if !self.runs.borrow().values().any(|run| run.driven) {
            self.host.watchdog.disarm();
        }
    }

    async fn work(&self, journal: &Rc<Journal>) {
        let records = journal.records();
        let Some(brief) = brief_of(&records) else {
            self.hub.warn(agent::Failure::of_halt(&Halt::Diverged {
                path: Path::root(),
            }));
            return;
        };
        if is_taken_up(&records) {
            journal.mark(&Path::root(), Entry::Woken);
        }
        let ctx = Ctx::new(journal.clone());
        let result = drive(journal, agent::run(&ctx, brief, self.hands.clone())).await;
        let closing = Closing::of(&result);
        let unwritable = matches!(result, Err(Halt::Store { .. }));
        if !unwritable {
            let body = serde_json::to_value(&closing).unwrap_or_default();
            journal.mark(&Path::root(), Entry::Ended { body });
        }
        if unwritable || journal.settled().await.is_err() {
            self.hub.close(journal.run(), &closing, self.host.clock.now_ms());
        }
    }

    /// Stops a run that is being driven.
    pub(super) fn stop(&self, run: &RunId, stop: Stop) {
        if let Some(run) = self.runs.borrow().get(run).filter(|run| run.driven) {
            run.journal.stop(stop);
        }
    }

    /// Lets a stopped run go on from where it stood.
    pub(super) async fn go_on(&self, run: &RunId) {
        {
            let mut runs = self.runs.borrow_mut();
            let Some(known) = runs.get_mut(run).filter(|known| !known.driven) else {
                return;
            };
            if !was_stopped(&known.journal.records()) {
                return;
            }
            known.journal = known.journal.next_life(&self.host);
            known.journal.mark(&Path::root(), Entry::Continued);
            // The index is built from records: the life that goes on begins after the mark.
            known.journal = known.journal.clone().continued(&self.host);
        }
        self.drive(run).await;
    }

    fn claim(&self, run: &RunId) -> Option<Rc<Journal>> {
        let mut runs = self.runs.borrow_mut();
        let known = runs.get_mut(run).filter(|known| !known.driven)?;
        if ended(&known.journal.records()) {
            return None;
        }
        known.driven = true;
        Some(known.journal.clone())
    }

    fn release(&self, run: &RunId) {
        if let Some(run) = self.runs.borrow_mut().get_mut(run) {
            run.driven = false;
        }
    }
}
