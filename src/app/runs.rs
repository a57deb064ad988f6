//! The runs of this worker: exactly one drive each.
//!
//! A drive is claimed by a flag set before any await; a Web Lock is the belt
//! against another worker (DESIGN, rule 9).

mod erase;

use super::Panic;
use super::hub::Hub;
use crate::agent::{self, Brief, Closing, Hands};
use crate::durable::{
    Body, Ctx, Entry, Halt, Journal, Path, Record, Stop, Unreadable, drive, has_ended,
    last_pending, read_batches, was_stopped,
};
use crate::host::{Host, RunId, StoredBatch};
use serde::Deserialize;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What finished runs may take of the 10 MB that Chrome's session storage has.
/// All of it is read at each birth of the worker.
const KEPT_BYTES: usize = 2 * 1024 * 1024;

/// The revision of the code, noted in each run's first record.
const REVISION: &str = env!("CARGO_PKG_VERSION");

pub(super) struct Runs {
    host: Host,
    hands: Hands,
    hub: Rc<Hub>,
    known: RefCell<BTreeMap<RunId, Run>>,
    /// Loading found nothing at all.
    empty: Cell<bool>,
}

struct Run {
    journal: Rc<Journal>,
    standing: Standing,
    /// What earlier lives wrote of it.
    stored_bytes: usize,
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
    /// Another worker owns it, and what is known here goes out of date.
    Elsewhere,
}

impl Runs {
    pub(super) fn new(host: Host, hands: Hands, hub: Rc<Hub>) -> Self {
        Self {
            host,
            hands,
            hub,
            known: RefCell::default(),
            empty: Cell::new(false),
        }
    }

    /// Takes up what is stored, less what this life already has.
    pub(super) async fn load(&self, panic: Option<Panic>) {
        let batches = match self.host.store.load_all().await {
            Ok(batches) => batches,
            Err(error) => {
                self.hub.warn(agent::Failure::of_halt(&Halt::from(error)));
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
                Ok((batches, records)) if brief_of(&records).is_some() => {
                    self.recover(&run, batches, records, panic.as_ref(), stored_bytes);
                }
                Ok(_) => self.unreadable(&Unreadable::Corrupt("no configuration".to_owned())),
                Err(unreadable) => self.unreadable(&unreadable),
            }
        }
    }

    /// A journal that cannot be read stays where it is, and the person is told.
    fn unreadable(&self, unreadable: &Unreadable) {
        self.hub.warn(agent::Failure::of_journal(unreadable));
    }

    fn recover(
        &self,
        run: &RunId,
        batches: u64,
        records: Vec<Record>,
        panic: Option<&Panic>,
        stored_bytes: usize,
    ) {
        self.hub.recall(run, &records);
        let blamed = panic.filter(|panic| panic.run.as_ref() == Some(run));
        let at = last_pending(&records);
        let journal =
            Journal::recovered(run.clone(), batches, records, &self.host, self.hub.clone());
        if let Some(panic) = blamed {
            let message = panic.message.clone();
            journal.mark(&at, Entry::Panicked { message });
        }
        let recovered = Run {
            journal,
            standing: Standing::Recovered,
            stored_bytes,
        };
        self.known.borrow_mut().insert(run.clone(), recovered);
    }

    /// A new run's journal; nothing if the run exists.
    pub(super) fn begin(&self, run: &RunId, brief: &Brief) {
        if self.known.borrow().contains_key(run) {
            return;
        }
        let journal = Journal::begin(run.clone(), brief, REVISION, &self.host, self.hub.clone());
        let begun = Run {
            journal,
            standing: Standing::New,
            stored_bytes: 0,
        };
        self.known.borrow_mut().insert(run.clone(), begun);
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
            self.stand(run, Standing::Idle);
            self.rest();
            self.make_room().await;
        } else {
            // It is loaded anew when the alarm, which stays armed, wakes us.
            self.stand(run, Standing::Elsewhere);
        }
    }

    /// Keeps what is stored within its bound: the oldest runs that have ended go
    /// first, and with the last run that names it each large body.
    async fn make_room(&self) {
        let mut doomed = Vec::new();
        {
            let mut runs = self.known.borrow_mut();
            let mut ended: Vec<(u64, RunId)> = runs
                .iter()
                .filter(|(_, run)| run.has_ended())
                .map(|(id, run)| (run.begun_at_ms(), id.clone()))
                .collect();
            ended.sort_unstable();
            // The newest stays, however large.
            ended.pop();
            let mut total: usize = runs.values().map(Run::bytes).sum();
            for (_, id) in ended {
                if total <= KEPT_BYTES {
                    break;
                }
                total -= runs.remove(&id).map_or(0, |run| run.bytes());
                doomed.push(id);
            }
        }
        if doomed.is_empty() {
            return;
        }
        for run in doomed {
            self.hub.forget(&run);
            // What could not be erased now is loaded, and erased, in a later life.
            let _ = self.host.store.erase(&run).await;
        }
        let _ = self.host.blobs.retain(self.named_blobs()).await;
    }

    fn named_blobs(&self) -> Vec<String> {
        let runs = self.known.borrow();
        let named = runs.values().flat_map(|run| run.journal.read(blobs));
        named.collect()
    }

    /// Erases large bodies that no run names: after a restart of the browser or
    /// an update nothing is stored, and a page's text must not outlive its run.
    pub(super) async fn sweep(&self) {
        if self.empty.replace(false) && self.known.borrow().is_empty() {
            // What could not be erased now is tried again in the next life.
            let _ = self.host.blobs.retain(Vec::new()).await;
        }
    }

    /// Lets the worker sleep if no run is at work, here or elsewhere.
    pub(super) fn rest(&self) {
        let busy = |run: &Run| matches!(run.standing, Standing::Driven | Standing::Elsewhere);
        if !self.known.borrow().values().any(busy) {
            self.host.watchdog.disarm();
        }
    }

    async fn work(&self, journal: &Rc<Journal>) {
        let result = match journal.read(brief_of) {
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

    /// Notes that the person began anew after this run, so that a later life
    /// does not show it in the tab again.
    pub(super) async fn leave(&self, run: &RunId) {
        let journal = self.known.borrow().get(run).map(|run| run.journal.clone());
        if let Some(journal) = journal {
            journal.mark(&Path::root(), Entry::Left);
            // Refused, it costs no more than the old conversation shown again.
            let _ = journal.settled().await;
        }
    }

    fn reopen(&self, run: &RunId) -> bool {
        let mut runs = self.known.borrow_mut();
        let Some(known) = runs.get_mut(run).filter(|known| !known.is_driven()) else {
            return false;
        };
        if !known.journal.read(was_stopped) {
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

    fn stand(&self, run: &RunId, standing: Standing) {
        if let Some(run) = self.known.borrow_mut().get_mut(run) {
            run.standing = standing;
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

impl Run {
    fn is_driven(&self) -> bool {
        self.standing == Standing::Driven
    }

    fn can_be_driven(&self) -> bool {
        match self.standing {
            Standing::New | Standing::Recovered => !self.journal.read(has_ended),
            Standing::Driven | Standing::Idle | Standing::Elsewhere => false,
        }
    }

    /// Whether nothing more will be done for it here.
    fn has_ended(&self) -> bool {
        match self.standing {
            Standing::Idle => true,
            Standing::New | Standing::Recovered => !self.can_be_driven(),
            Standing::Driven | Standing::Elsewhere => false,
        }
    }

    fn bytes(&self) -> usize {
        self.stored_bytes + self.journal.written_bytes()
    }

    fn begun_at_ms(&self) -> u64 {
        self.journal
            .read(|records| records.first().map_or(0, |begun| begun.at_ms))
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

/// The large bodies that records name.
fn blobs(records: &[Record]) -> Vec<String> {
    let named = records.iter().filter_map(|record| match &record.entry {
        Entry::Outcome {
            body: Body::Blob(hash),
        } => Some(hash.clone()),
        _ => None,
    });
    named.collect()
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
