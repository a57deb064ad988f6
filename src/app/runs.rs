//! The runs of this worker: exactly one drive each.
//!
//! A drive is claimed by a flag set before any await; a Web Lock is the belt
//! against another worker (DESIGN, rule 9).

use super::Panic;
use super::hub::Hub;
use crate::agent::{self, Brief, Closing, Ending, FollowUp, Goal, Hands, Verdict};
use crate::durable::{
    Body, Ctx, Entry, Halt, Journal, Message, Path, Record, Stop, Unreadable, drive, has_ended,
    is_parked, last_pending, read_batches, was_stopped,
};
use crate::host::{Host, RunId, StoredBatch};
use serde::Deserialize;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What finished runs may take of the 10 MB that Chrome's session storage has.
/// All of it is read at each birth of the worker.
const KEPT_BYTES: usize = 2 * 1024 * 1024;

/// How many runs are at work at once; others wait for a place (DETAILS §1).
const MOST_DRIVEN: usize = 4;

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

/// Whether nobody was going to drive a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asleep {
    /// It waited for the person.
    Yes,
    /// It is driven, will be, or has ended.
    No,
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
    /// It waits for the person, and no drive holds it.
    Parked,
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
            standing: match journal.read(is_parked) {
                true => Standing::Parked,
                false => Standing::Recovered,
            },
            journal,
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

    /// Whether a run of this id exists, or waits as a message.
    pub(super) fn has_begun(&self, run: &RunId) -> bool {
        let runs = self.known.borrow();
        runs.contains_key(run) || runs.values().any(|known| known.journal.received(&run.0))
    }

    /// The runs for which there is something to do.
    pub(super) fn open(&self) -> Vec<RunId> {
        let runs = self.known.borrow();
        let open = runs
            .iter()
            .filter(|(_, run)| run.can_be_driven() || run.left_unread().is_some());
        open.map(|(id, _)| id.clone()).collect()
    }

    /// The oldest run that found no free place, if there is one now.
    pub(super) fn waiting(&self) -> Option<RunId> {
        let runs = self.known.borrow();
        if runs.values().filter(|run| run.is_driven()).count() >= MOST_DRIVEN {
            return None;
        }
        let waiting = runs.iter().filter(|(_, run)| run.can_be_driven());
        let oldest = waiting.min_by_key(|(_, run)| run.begun_at_ms());
        oldest.map(|(id, _)| id.clone())
    }

    /// A run's configuration.
    pub(super) fn brief(&self, run: &RunId) -> Option<Brief> {
        self.journal(run)?.read(brief_of)
    }

    /// The first message that an ended run did not come to read. What waits in a
    /// stopped one waits for the person.
    pub(super) fn left_unread(&self, run: &RunId) -> Option<(RunId, Goal)> {
        self.known.borrow().get(run)?.left_unread()
    }

    /// Moves what one run left unread into the inbox of the turn after it.
    pub(super) async fn pass_on(&self, from: &RunId, to: &RunId) {
        let (Some(from), Some(heir)) = (self.journal(from), self.journal(to)) else {
            return;
        };
        for (id, message) in from.unread::<FollowUp>() {
            // The one that became the turn itself.
            if id != to.0 {
                heir.deliver(&id, &message);
            }
            from.withdraw(&id);
        }
        // Refused, they wait on where they were.
        let _ = from.settled().await;
    }

    /// Puts a message into a run's inbox.
    pub(super) async fn deliver<M: Message>(&self, run: &RunId, id: &str, message: &M) {
        let Some(journal) = self.journal(run) else {
            return;
        };
        journal.deliver(id, message);
        self.write_out(run, &journal).await;
        self.unpark(run);
    }

    /// Takes a message back, wherever it waits.
    pub(super) async fn withdraw(&self, message: &RunId) {
        let holders: Vec<(RunId, Rc<Journal>)> = {
            let runs = self.known.borrow();
            let holders = runs
                .iter()
                .filter(|(_, run)| run.journal.received(&message.0));
            holders
                .map(|(id, run)| (id.clone(), run.journal.clone()))
                .collect()
        };
        for (run, journal) in holders {
            journal.withdraw(&message.0);
            self.write_out(&run, &journal).await;
        }
    }

    /// Gives a run the answer that it waits for; one that waits for none is left
    /// alone, so that an answer sent twice counts once.
    pub(super) async fn answer(&self, run: &RunId, verdict: Verdict) {
        let waits = self.journal(run).and_then(|journal| {
            let parked = journal.read(is_parked);
            parked.then(|| journal.read(count_waits))
        });
        if let Some(waits) = waits {
            let id = format!("verdict.{waits}");
            self.deliver(run, &id, &verdict).await;
        }
    }

    fn journal(&self, run: &RunId) -> Option<Rc<Journal>> {
        let runs = self.known.borrow();
        runs.get(run).map(|run| run.journal.clone())
    }

    /// Sees to it that what was noted lands and is told, where no drive does.
    async fn write_out(&self, run: &RunId, journal: &Journal) {
        let driven = self.known.borrow().get(run).is_some_and(Run::is_driven);
        if !driven && let Err(source) = journal.settled().await {
            self.hub.warn(agent::Failure::of_halt(&Halt::from(source)));
        }
    }

    /// A run whose message has come can be driven again.
    fn unpark(&self, run: &RunId) {
        if let Some(run) = self.known.borrow_mut().get_mut(run)
            && run.standing == Standing::Parked
            && !run.journal.read(is_parked)
        {
            run.journal = run.journal.next_life(&self.host);
            run.standing = Standing::New;
        }
    }

    /// Drives a run to its end, or until it waits for the person. Does nothing if
    /// it is being driven, has ended, or finds no free place.
    pub(super) async fn drive(&self, run: &RunId) {
        let Some((journal, stood)) = self.claim(run) else {
            return;
        };
        self.host.watchdog.arm();
        if let Some(_lock) = self.host.locks.acquire(run).await {
            if stood == Standing::Recovered {
                journal.mark(&Path::root(), Entry::Woken);
            }
            let standing = self.work(journal).await;
            self.stand(run, standing);
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

    /// Works until the run ends or waits, and says where it stands then.
    async fn work(&self, mut journal: Rc<Journal>) -> Standing {
        let result = loop {
            let result = self.pursue(&journal).await;
            if !matches!(result, Err(Halt::Parked { .. })) {
                break result;
            }
            if journal.read(is_parked) && journal.stop_asked().is_none() {
                return Standing::Parked;
            }
            // What it waits for came while it was laid down.
            journal = self.heir(&journal);
        };
        let closing = Closing::of(&result);
        let mut unwritable = matches!(result, Err(Halt::Store { .. }));
        if !unwritable {
            let body = serde_json::to_value(&closing).unwrap_or_default();
            journal.mark(&Path::root(), Entry::Ended { body });
            unwritable = journal.settled().await.is_err();
        }
        if unwritable {
            self.hub.close(&journal, &closing, self.host.clock.now_ms());
        }
        Standing::Idle
    }

    async fn pursue(&self, journal: &Rc<Journal>) -> Result<Ending, Halt> {
        match journal.read(brief_of) {
            Some(brief) => {
                let ctx = Ctx::new(journal.clone());
                drive(journal, agent::run(&ctx, brief, self.hands.clone())).await
            }
            None => Err(Halt::Unreadable {
                path: Path::root(),
                message: "its configuration is unreadable".to_owned(),
            }),
        }
    }

    /// The same run in a fresh life, in the place of this one.
    fn heir(&self, journal: &Journal) -> Rc<Journal> {
        let heir = journal.next_life(&self.host);
        if let Some(run) = self.known.borrow_mut().get_mut(journal.run()) {
            run.journal = heir.clone();
        }
        heir
    }

    /// Stops a run, even one that its drive has not taken up yet. One that waits
    /// for the person has no drive, and needs one to end.
    pub(super) fn stop(&self, run: &RunId, stop: Stop) -> Asleep {
        let mut runs = self.known.borrow_mut();
        let Some(run) = runs.get_mut(run) else {
            return Asleep::No;
        };
        let asleep = match run.standing {
            Standing::Parked => {
                run.journal = run.journal.next_life(&self.host);
                run.standing = Standing::New;
                Asleep::Yes
            }
            _ => Asleep::No,
        };
        if run.is_driven() || run.can_be_driven() {
            run.journal.stop(stop);
        }
        asleep
    }

    /// Lets a stopped run go on from where it stood; false if it was not stopped.
    pub(super) async fn reopen(&self, run: &RunId) -> bool {
        let journal = {
            let mut runs = self.known.borrow_mut();
            let Some(known) = runs.get_mut(run).filter(|known| !known.is_driven()) else {
                return false;
            };
            if !known.journal.read(was_stopped) {
                return false;
            }
            known.journal = known.journal.next_life(&self.host);
            known.journal.mark(&Path::root(), Entry::Continued);
            known.standing = match known.journal.read(is_parked) {
                true => Standing::Parked,
                false => Standing::New,
            };
            known.journal.clone()
        };
        self.write_out(run, &journal).await;
        true
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

    /// Takes a run for one drive; the claim stands before any await.
    fn claim(&self, run: &RunId) -> Option<(Rc<Journal>, Standing)> {
        let mut runs = self.known.borrow_mut();
        let driven = runs.values().filter(|known| known.is_driven()).count();
        let known = runs.get_mut(run).filter(|known| known.can_be_driven())?;
        // One that is to be stopped takes no place.
        if driven >= MOST_DRIVEN && known.journal.stop_asked().is_none() {
            return None;
        }
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
            Standing::Driven | Standing::Parked | Standing::Idle | Standing::Elsewhere => false,
        }
    }

    /// Whether nothing more will be done for it here.
    fn has_ended(&self) -> bool {
        match self.standing {
            Standing::Idle => true,
            Standing::New | Standing::Recovered => !self.can_be_driven(),
            Standing::Driven | Standing::Parked | Standing::Elsewhere => false,
        }
    }

    fn left_unread(&self) -> Option<(RunId, Goal)> {
        let over = self.has_ended() && !self.journal.read(was_stopped);
        let mut unread = self.journal.unread::<FollowUp>().into_iter();
        let (id, message) = unread.next().filter(|_| over)?;
        Some((RunId(id), message.goal))
    }

    fn bytes(&self) -> usize {
        self.stored_bytes + self.journal.written_bytes()
    }

    fn begun_at_ms(&self) -> u64 {
        self.journal
            .read(|records| records.first().map_or(0, |begun| begun.at_ms))
    }
}

fn count_waits(records: &[Record]) -> usize {
    let waits = |record: &&Record| matches!(record.entry, Entry::Waits { .. });
    records.iter().filter(waits).count()
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
