//! The runs of this worker: exactly one drive each.
//!
//! A drive is claimed by a flag set before any await; a Web Lock is the belt
//! against another worker (DESIGN, rule 9).

use super::Panic;
use super::hub::Hub;
use crate::agent::{self, Brief, Closing, Hands};
use crate::durable::{
    Ctx, Entry, Halt, Journal, Path, Record, Stop, Unreadable, drive, has_ended, last_pending,
    read_batches, was_stopped,
};
use crate::host::{Host, RunId};
use serde::Deserialize;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The revision of the code, noted in each run's first record.
const REVISION: &str = env!("CARGO_PKG_VERSION");

pub(super) struct Runs {
    host: Host,
    hands: Hands,
    hub: Rc<Hub>,
    known: RefCell<BTreeMap<RunId, Run>>,
}

struct Run {
    journal: Rc<Journal>,
    standing: Standing,
}

/// Where a run stands in this life of the worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// Begun, or let go on, in this life; not driven yet.
    New,
    /// Known from an earlier life; not driven yet.
    Recovered,
    /// Being driven.
    Driven,
    /// Its drive ended.
    Idle,
}

impl Runs {
    pub(super) fn new(host: Host, hands: Hands, hub: Rc<Hub>) -> Self {
        Self {
            host,
            hands,
            hub,
            known: RefCell::default(),
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
        for (run, journal) in in_order(stored) {
            if self.known.borrow().contains_key(&run) {
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
        let at = last_pending(&records);
        let journal =
            Journal::recovered(run.clone(), batches, records, &self.host, self.hub.clone());
        if let Some(panic) = blamed {
            let message = panic.message.clone();
            journal.mark(&at, Entry::Panicked { message });
        }
        let standing = Standing::Recovered;
        self.known
            .borrow_mut()
            .insert(run, Run { journal, standing });
    }

    /// A new run's journal; nothing if the run exists.
    pub(super) fn begin(&self, run: &RunId, brief: &Brief) {
        if self.known.borrow().contains_key(run) {
            return;
        }
        let journal = Journal::begin(run.clone(), brief, REVISION, &self.host, self.hub.clone());
        let standing = Standing::New;
        self.known
            .borrow_mut()
            .insert(run.clone(), Run { journal, standing });
    }

    /// The runs that have not ended.
    pub(super) fn unfinished(&self) -> Vec<RunId> {
        let runs = self.known.borrow();
        let unfinished = runs.iter().filter(|(_, run)| run.can_be_driven());
        unfinished.map(|(id, _)| id.clone()).collect()
    }

    /// Drives a run to its end. Does nothing if it is being driven, or ended.
    pub(super) async fn drive(&self, run: &RunId) {
        let Some((journal, stood)) = self.claim(run) else {
            return;
        };
        self.host.watchdog.arm();
        if let Some(_lock) = self.host.locks.acquire(run).await {
            if stood == Standing::Recovered {
                journal.mark(&Path::root(), Entry::Woken);
            }
            self.work(&journal).await;
            self.release(run);
        } else {
            // Another worker owns it: what is known here will be out of date.
            self.known.borrow_mut().remove(run);
        }
        self.rest();
    }

    /// Erases large bodies that no run names: after a restart of the browser or
    /// an update there are no runs, and a page's text must not outlive them.
    pub(super) async fn sweep(&self) {
        if self.known.borrow().is_empty() {
            // What could not be erased now is tried again in the next life.
            let _ = self.host.blobs.retain(Vec::new()).await;
        }
    }

    /// Lets the worker sleep if no run is at work.
    pub(super) fn rest(&self) {
        if !self.known.borrow().values().any(Run::is_driven) {
            self.host.watchdog.disarm();
        }
    }

    async fn work(&self, journal: &Rc<Journal>) {
        let result = match brief_of(&journal.records()) {
            Some(brief) => {
                let ctx = Ctx::new(journal.clone());
                drive(journal, agent::run(&ctx, brief, self.hands.clone())).await
            }
            None => Err(Halt::Unreadable {
                path: Path::root(),
                message: "its configuration is unreadable".to_owned(),
            }),
        };
        let closing = Closing::of(&result);
        let mut unwritable = matches!(result, Err(Halt::Store { .. }));
        if !unwritable {
            let body = serde_json::to_value(&closing).unwrap_or_default();
            journal.mark(&Path::root(), Entry::Ended { body });
            unwritable = journal.settled().await.is_err();
        }
        if unwritable {
            self.hub.close(journal, &closing, self.host.clock.now_ms());
        }
    }

    /// Stops a run, even one that its drive has not taken up yet.
    pub(super) fn stop(&self, run: &RunId, stop: Stop) {
        let runs = self.known.borrow();
        let open = |run: &&Run| run.is_driven() || run.can_be_driven();
        if let Some(run) = runs.get(run).filter(open) {
            run.journal.stop(stop);
        }
    }

    /// Lets a stopped run go on from where it stood.
    pub(super) async fn go_on(&self, run: &RunId) {
        if self.reopen(run) {
            self.drive(run).await;
        }
    }

    fn reopen(&self, run: &RunId) -> bool {
        let mut runs = self.known.borrow_mut();
        let Some(known) = runs.get_mut(run).filter(|known| !known.is_driven()) else {
            return false;
        };
        if !was_stopped(&known.journal.records()) {
            return false;
        }
        known.journal = known.journal.next_life(&self.host);
        known.standing = Standing::New;
        known.journal.mark(&Path::root(), Entry::Continued);
        true
    }

    /// Takes a run for one drive; the claim stands before any await.
    fn claim(&self, run: &RunId) -> Option<(Rc<Journal>, Standing)> {
        let mut runs = self.known.borrow_mut();
        let known = runs.get_mut(run).filter(|known| known.can_be_driven())?;
        let stood = std::mem::replace(&mut known.standing, Standing::Driven);
        Some((known.journal.clone(), stood))
    }

    fn release(&self, run: &RunId) {
        if let Some(run) = self.known.borrow_mut().get_mut(run) {
            run.standing = Standing::Idle;
        }
    }
}

impl Run {
    fn is_driven(&self) -> bool {
        self.standing == Standing::Driven
    }

    fn can_be_driven(&self) -> bool {
        match self.standing {
            Standing::New | Standing::Recovered => !has_ended(&self.journal.records()),
            Standing::Driven | Standing::Idle => false,
        }
    }
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

fn brief_of(records: &[Record]) -> Option<Brief> {
    match &records.first()?.entry {
        Entry::Begun { brief, .. } => Brief::deserialize(brief).ok(),
        _ => None,
    }
}
