//! The runs of this worker. Each run is driven by only one drive at a time.
//!
//! A flag, which is set before any await, claims the run within this worker. A Web Lock claims it
//! across workers.

mod continuation;
mod description;
mod erase;
mod filing;
mod history;
mod history_setting;
mod inbox;
mod loading;
mod opening;
mod pauses;
mod reading;
mod refused_start;
mod stored;
mod tiers;
mod timers;
mod unreadable;
mod upkeep;
mod usage;

use super::hub::Hub;
use gloss_agent::trajectory::config_of;
use gloss_agent::{
    self as agent, Closing, EarlierResults, Ending, RunConfig, Services, collect_earlier,
};
use gloss_durable::sorted::SortedMap;
use gloss_durable::{
    Ctx, Entry, Halt, Journal, Path, Record, RunId, Stop, drive, has_ended, is_parked, was_stopped,
};
use gloss_host::Host;
pub(super) use history::EarlierContext;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use tiers::StorageTiers;

/// The number of runs that may be driven at once. Other runs wait until one of these ends or waits.
const MOST_DRIVEN: usize = 4;

/// The revision of the code, which each run's first record contains. In the extension it is the
/// package's version and a hash of the source (`cargo xtask build`).
pub(super) const REVISION: &str = match option_env!("GLOSS_REVISION") {
    Some(revision) => revision,
    None => env!("CARGO_PKG_VERSION"),
};

/// The name under which session storage stores the conversations of tabs.
const PLACES: &str = "places";

/// The value stored under [`PLACES`] during an erasure of everything. A worker that finds this
/// value at its start finishes the erasure first.
const ERASING: &str = "erasing";

pub(super) struct Runs {
    host: Host,
    services: Services,
    hub: Rc<Hub>,
    known: RefCell<SortedMap<RunId, Run>>,
    /// True if session storage was empty when this worker started.
    empty: Cell<bool>,
    /// True if the alarm for runs that wait for a time may be set.
    alarm_may_be_set: Cell<bool>,
    tiers: StorageTiers,
}

struct Run {
    journal: Rc<Journal>,
    standing: RunState,
    /// True if the user continued the run while its drive was still stopping.
    continue_requested: bool,
    /// The run's conversation.
    conversation: RunId,
    /// The number of bytes that earlier lives wrote.
    stored_bytes: usize,
}

/// The answer of [`Runs::stop`]: says if the caller must drive the run now, so that it can end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NeedsDrive {
    /// The caller must drive the run. The run was waiting for the user, or for another run to end.
    Yes,
    /// The run has ended, is being driven, or will be driven anyway.
    No,
}

/// The state of a run in this life of the worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RunState {
    /// The run was begun or continued in this life, and has not been driven yet.
    New,
    /// The run was loaded from an earlier life, and has not been driven yet.
    Recovered,
    /// The run is being driven.
    Driven,
    /// The run waits for the user or for a time. It is not being driven.
    Parked,
    /// The run is paused until the user continues it. It is not being driven.
    Paused,
    /// The run's drive has ended.
    Idle,
    /// Another worker owns the run. The records that are loaded here become outdated.
    Elsewhere,
}

impl Runs {
    pub(super) fn new(host: Host, services: Services, hub: Rc<Hub>) -> Self {
        Self {
            host,
            services,
            hub,
            known: RefCell::default(),
            empty: Cell::new(false),
            // An earlier life may have set the alarm.
            alarm_may_be_set: Cell::new(true),
            tiers: StorageTiers::default(),
        }
    }

    /// Opens a new run's journal. Does nothing if the run exists.
    pub(super) fn begin(&self, run: &RunId, config: &RunConfig) {
        let ports = self.journal_ports();
        self.add(run, config, || {
            Journal::begin(run.clone(), config, REVISION, &ports, self.hub.clone())
        });
    }

    /// Opens a new run's journal that begins with a copy of another run's records. Does nothing if
    /// the run exists.
    pub(super) fn fork(&self, run: &RunId, from: &RunId, config: &RunConfig, copied: Vec<Record>) {
        let host = self.journal_ports();
        self.add(run, config, || {
            Journal::fork(run.clone(), from, config, copied, &host, self.hub.clone())
        });
    }

    fn add(&self, run: &RunId, config: &RunConfig, journal: impl FnOnce() -> Rc<Journal>) {
        if self.known.borrow().contains_key(run) {
            return;
        }
        let begun = Run {
            journal: journal(),
            standing: RunState::New,
            continue_requested: false,
            conversation: config.conversation.clone(),
            stored_bytes: 0,
        };
        self.known.borrow_mut().insert(run.clone(), begun);
    }

    /// Returns true if this id belongs to a run, or to a message in the inbox of a run.
    pub(super) fn has_begun(&self, run: &RunId) -> bool {
        let runs = self.known.borrow();
        let known = runs.contains_key(run);
        known
            || self.is_filed(run)
            || self.is_found(run)
            || runs.values().any(|it| it.journal.received(&run.0))
    }

    /// The runs that must be driven, or whose unread messages must become turns.
    pub(super) fn open(&self) -> Vec<RunId> {
        let runs = self.known.borrow();
        let open = runs
            .iter()
            .filter(|(_, run)| run.can_be_driven() || run.has_ended() && run.holds_messages());
        open.map(|(id, _)| id.clone()).collect()
    }

    /// Returns the oldest run that waits to be driven. `None` if there is no such run, or
    /// [`MOST_DRIVEN`] runs are being driven.
    pub(super) fn waiting(&self) -> Option<RunId> {
        let runs = self.known.borrow();
        if is_full(&runs) {
            return None;
        }
        let waiting = runs.iter().filter(|(_, run)| run.can_be_driven());
        let oldest = waiting.min_by_key(|(_, run)| run.begun_at_ms());
        oldest.map(|(id, _)| id.clone())
    }

    pub(super) fn config(&self, run: &RunId) -> Option<RunConfig> {
        self.journal(run)?.read(config_of)
    }

    /// Returns the results of a run that a later turn can read again.
    fn earlier(&self, run: &RunId) -> Option<EarlierResults> {
        self.journal(run)?
            .read(|records| collect_earlier(run, records))
    }

    /// Returns the turn of a conversation that has not ended.
    pub(super) fn open_turn(&self, conversation: &RunId) -> Option<RunId> {
        let runs = self.known.borrow();
        let mut turns = runs
            .iter()
            .filter(|(_, run)| run.conversation == *conversation);
        let open = turns.find(|(_, run)| !run.has_ended());
        open.map(|(id, _)| id.clone())
    }

    /// Returns a run's journal, if this worker may write to it.
    fn journal(&self, run: &RunId) -> Option<Rc<Journal>> {
        let runs = self.known.borrow();
        let ours = runs
            .get(run)
            .filter(|run| run.standing != RunState::Elsewhere);
        ours.map(|run| run.journal.clone())
    }

    /// Drives a run until it ends, parks or is paused. Does nothing if the run is being driven
    /// already or has ended, or if [`MOST_DRIVEN`] other runs are being driven.
    pub(super) async fn drive(&self, run: &RunId) {
        let Some((journal, stood)) = self.claim(run) else {
            return;
        };
        self.host.watchdog.arm();
        let Some(lock) = self.host.locks.acquire(run).await else {
            // Another worker has the lock. The alarm stays set, and at the next wake-up the run is
            // loaded again.
            self.set_state(run, RunState::Elsewhere);
            return;
        };
        if stood == RunState::Recovered {
            journal.mark(&Path::root(), Entry::Resumed);
        }
        journal.file_noted();
        let standing = self.work(journal).await;
        // The lock is released before the run can be claimed again, because the next drive needs
        // the same lock.
        drop(lock);
        self.set_state(run, standing);
        self.file(run).await;
        self.let_worker_sleep();
        self.make_room().await;
    }

    /// Stops the watchdog if no run is active in this worker or another one, so that the worker can
    /// sleep.
    pub(super) fn let_worker_sleep(&self) {
        let busy = |run: &Run| matches!(run.standing, RunState::Driven | RunState::Elsewhere);
        // Runs in session storage that are not loaded yet wait until the archive answers.
        if !self.known.borrow().values().any(busy) && !self.has_found() {
            self.host.watchdog.disarm();
        }
    }

    /// Drives the run until it ends or waits, and returns its new state.
    async fn work(&self, mut journal: Rc<Journal>) -> RunState {
        let result = loop {
            let result = self.pursue(&journal).await;
            if matches!(result, Err(Halt::Parked { .. })) {
                if journal.read(is_parked) && journal.stop_asked().is_none() {
                    return RunState::Parked;
                }
                // A message or a stop arrived while the run was being parked, so the run continues.
            } else if !self.continue_afresh(&journal, &result).await {
                break result;
            }
            let stop = journal.stop_asked();
            journal = self.begin_next_life(&journal);
            if let Some(stop) = stop {
                journal.stop(stop);
            }
        };
        if Self::is_paused_after(&journal, &result) {
            return RunState::Paused;
        }
        let closing = Closing::of(&result);
        let mut unwritable = matches!(result, Err(Halt::Store { .. }));
        if !unwritable {
            let body = serde_json::to_value(&closing).unwrap_or_default();
            journal.mark(&Path::root(), Entry::Ended { body });
            unwritable = journal.flushed().await.is_err();
        }
        if unwritable && journal.has_landed() {
            self.hub.close(&journal, &closing, self.host.clock.now_ms());
        }
        RunState::Idle
    }

    async fn pursue(&self, journal: &Rc<Journal>) -> Result<Ending, Halt> {
        match journal.read(config_of) {
            Some(config) => {
                let ctx = Ctx::new(journal.clone());
                drive(journal, agent::run(&ctx, config, self.services.clone())).await
            }
            None => Err(Halt::Unreadable {
                path: Path::root(),
                message: "its configuration is unreadable".to_owned(),
            }),
        }
    }

    /// Starts a new life of the run, and replaces the run's journal.
    fn begin_next_life(&self, journal: &Journal) -> Rc<Journal> {
        let successor = journal.next_life();
        if let Some(run) = self.known.borrow_mut().get_mut(journal.run()) {
            run.journal = successor.clone();
        }
        successor
    }

    /// Stops a run. A run that waits for the user or is paused is not being driven. The caller must
    /// drive such a run, so that it can end.
    pub(super) fn stop(&self, run: &RunId, stop: Stop) -> NeedsDrive {
        let mut runs = self.known.borrow_mut();
        let full = is_full(&runs);
        let Some(run) = runs.get_mut(run) else {
            return NeedsDrive::No;
        };
        run.continue_requested = false;
        let rests = matches!(run.standing, RunState::Parked | RunState::Paused);
        if rests {
            run.journal = run.journal.next_life();
            run.standing = RunState::New;
        }
        if run.is_driven() || run.can_be_driven() {
            run.journal.stop(stop);
        }
        // A run that waits until other runs end must be driven now, or it would notice the stop
        // only later.
        if run.can_be_driven() && (rests || full) {
            NeedsDrive::Yes
        } else {
            NeedsDrive::No
        }
    }

    /// Claims a run for one drive. The claim is set before any await. Returns `None` if the run
    /// can't be driven now.
    fn claim(&self, run: &RunId) -> Option<(Rc<Journal>, RunState)> {
        let mut runs = self.known.borrow_mut();
        let full = is_full(&runs);
        let known = runs.get_mut(run).filter(|known| known.can_be_driven())?;
        // A run with a requested stop ends soon, so it is driven even if [`MOST_DRIVEN`] runs are.
        if full && known.journal.stop_asked().is_none() {
            return None;
        }
        let stood = std::mem::replace(&mut known.standing, RunState::Driven);
        Some((known.journal.clone(), stood))
    }

    fn set_state(&self, run: &RunId, standing: RunState) {
        if let Some(run) = self.known.borrow_mut().get_mut(run) {
            run.standing = standing;
        }
    }
}

impl Run {
    fn is_driven(&self) -> bool {
        self.standing == RunState::Driven
    }

    fn can_be_driven(&self) -> bool {
        let is_next = matches!(self.standing, RunState::New | RunState::Recovered);
        is_next && !self.journal.read(has_ended)
    }

    /// Returns true if this worker has nothing more to do for the run.
    fn has_ended(&self) -> bool {
        match self.standing {
            RunState::Idle => true,
            RunState::New | RunState::Recovered => !self.can_be_driven(),
            RunState::Driven | RunState::Parked | RunState::Paused | RunState::Elsewhere => false,
        }
    }

    /// Returns true if the run has ended or is paused, so that only the user can continue it.
    fn is_at_rest(&self) -> bool {
        self.standing == RunState::Paused || self.has_ended() && !self.holds_messages()
    }

    fn was_stopped(&self) -> bool {
        self.journal.read(was_stopped)
    }

    fn bytes(&self) -> usize {
        self.stored_bytes + self.journal.written_bytes()
    }

    fn begun_at_ms(&self) -> u64 {
        self.journal
            .read(|records| records.first().map_or(0, |begun| begun.at_ms))
    }
}

/// Returns true if [`MOST_DRIVEN`] runs are being driven.
fn is_full(runs: &SortedMap<RunId, Run>) -> bool {
    runs.values().filter(|run| run.is_driven()).count() >= MOST_DRIVEN
}
