//! The runs of this worker. A run is driven (executed) by one future at a time.
//!
//! A flag, set before any await, prevents a second drive in this worker. A Web Lock prevents a
//! drive of the same run in another worker.

mod description;
mod erase;
mod filing;
mod history;
mod history_setting;
mod inbox;
mod loading;
mod opening;
mod pause_and_continue;
mod reading;
mod refused_start;
mod restart_after_update;
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

/// The number of runs that may be driven at once. Another run must wait until one of these ends or
/// itself waits.
const MOST_DRIVEN: usize = 4;

/// The revision of the code, which each run's first record contains. In the extension, the revision
/// is the package's version and a hash of the source (`cargo xtask build`).
pub(super) const REVISION: &str = match option_env!("GLOSS_REVISION") {
    Some(revision) => revision,
    None => env!("CARGO_PKG_VERSION"),
};

/// The name in session storage of the list of tabs and the conversations that they show.
const PLACES: &str = "places";

/// The value that is stored under [`PLACES`] during an erasure of all data. A worker that finds
/// this value at its start finishes the erasure first.
const ERASING: &str = "erasing";

pub(super) struct Runs {
    host: Host,
    services: Services,
    hub: Rc<Hub>,
    known: RefCell<SortedMap<RunId, Run>>,
    /// True if session storage was empty when this worker started.
    empty: Cell<bool>,
    /// True if an alarm for the runs that wait for a time may be set.
    alarm_may_be_set: Cell<bool>,
    tiers: StorageTiers,
}

struct Run {
    journal: Rc<Journal>,
    standing: RunState,
    /// True if the user continued the run while its drive was still stopping.
    continue_requested: bool,
    /// The id of the run's conversation.
    conversation: RunId,
    /// The number of bytes of the run that were stored when this worker loaded it.
    stored_bytes: usize,
}

/// The answer of [`Runs::stop`]. It tells the caller whether to drive the run now, so that the run
/// can end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NeedsDrive {
    /// The caller must drive the run. The run was paused, or was waiting for the user or for other
    /// runs to end.
    Yes,
    /// The run has ended, is being driven, or will be driven anyway.
    No,
}

/// The state of a run in this worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RunState {
    /// The run was started or continued by this worker, and has not been driven yet.
    New,
    /// The run was loaded from storage, and has not been driven yet.
    Recovered,
    /// The run is being driven.
    Driven,
    /// The run waits for the user or for a time. It is not being driven.
    Parked,
    /// The run is paused until the user continues it. It is not being driven.
    Paused,
    /// The run's drive has ended.
    Idle,
    /// Another worker drives the run. The records that this worker has loaded become outdated.
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
            // An earlier worker may have set the alarm.
            alarm_may_be_set: Cell::new(true),
            tiers: StorageTiers::default(),
        }
    }

    /// Creates a new run with its journal. Does nothing if the run exists.
    pub(super) fn begin(&self, run: &RunId, config: &RunConfig) {
        let ports = self.journal_ports();
        self.add(run, config, || {
            Journal::begin(run.clone(), config, REVISION, &ports, self.hub.clone())
        });
    }

    /// Creates a new run whose journal begins with records copied from another run. Does nothing if
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

    /// Returns true if this is the id of a run, or of a message in the inbox of a run.
    pub(super) fn has_begun(&self, run: &RunId) -> bool {
        let runs = self.known.borrow();
        let known = runs.contains_key(run);
        known
            || self.is_filed(run)
            || self.is_found(run)
            || runs.values().any(|it| it.journal.received(&run.0))
    }

    /// Returns the runs that must be driven, and the ended runs whose unread messages must become
    /// turns.
    pub(super) fn open(&self) -> Vec<RunId> {
        let runs = self.known.borrow();
        let open = runs
            .iter()
            .filter(|(_, run)| run.can_be_driven() || run.has_ended() && run.holds_messages());
        open.map(|(id, _)| id.clone()).collect()
    }

    /// Returns the oldest run that must be driven. `None` if there is no such run, or if
    /// [`MOST_DRIVEN`] runs are already being driven.
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

    /// Returns those results of a run that a later turn can read.
    fn earlier(&self, run: &RunId) -> Option<EarlierResults> {
        self.journal(run)?
            .read(|records| collect_earlier(run, records))
    }

    /// Returns the turn of a conversation that has not ended, if there is one.
    pub(super) fn open_turn(&self, conversation: &RunId) -> Option<RunId> {
        let runs = self.known.borrow();
        let mut turns = runs
            .iter()
            .filter(|(_, run)| run.conversation == *conversation);
        let open = turns.find(|(_, run)| !run.has_ended());
        open.map(|(id, _)| id.clone())
    }

    /// Returns a run's journal. `None` if the run isn't loaded, or another worker drives it.
    fn journal(&self, run: &RunId) -> Option<Rc<Journal>> {
        let runs = self.known.borrow();
        let ours = runs
            .get(run)
            .filter(|run| run.standing != RunState::Elsewhere);
        ours.map(|run| run.journal.clone())
    }

    /// Drives a run until it ends, waits or is paused. Does nothing if the run is already being
    /// driven or has ended, or if [`MOST_DRIVEN`] other runs are being driven.
    pub(super) async fn drive(&self, run: &RunId) {
        let Some((journal, stood)) = self.claim(run) else {
            return;
        };
        self.host.watchdog.arm();
        let Some(lock) = self.host.locks.acquire(run).await else {
            // Another worker has the lock. The watchdog's alarm stays set. When it fires, this
            // worker loads the run again.
            self.set_state(run, RunState::Elsewhere);
            return;
        };
        if stood == RunState::Recovered {
            journal.mark(&Path::root(), Entry::Resumed);
        }
        journal.file_noted();
        let standing = self.work(journal).await;
        // The lock is released before the run's state changes. The next drive of the run needs the
        // same lock.
        drop(lock);
        self.set_state(run, standing);
        self.file(run).await;
        self.let_worker_sleep();
        self.make_room().await;
    }

    /// Stops the watchdog, so that the worker can sleep. Does nothing while this worker or another
    /// one drives a run.
    pub(super) fn let_worker_sleep(&self) {
        let busy = |run: &Run| matches!(run.standing, RunState::Driven | RunState::Elsewhere);
        // The watchdog also stays active while session storage contains runs that are not loaded
        // yet.
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
                // A message or a stop arrived while the run was about to wait, so the run
                // continues.
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

    /// Replaces the run's journal by a new one with the same records, for a new drive of the run.
    fn begin_next_life(&self, journal: &Journal) -> Rc<Journal> {
        let successor = journal.next_life();
        if let Some(run) = self.known.borrow_mut().get_mut(journal.run()) {
            run.journal = successor.clone();
        }
        successor
    }

    /// Stops a run. A run that is paused or waits for the user is not being driven. Such a run must
    /// be driven by the caller, so that it can end.
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
        // Without a drive, a run that waits until other runs end would notice the stop only later.
        if run.can_be_driven() && (rests || full) {
            NeedsDrive::Yes
        } else {
            NeedsDrive::No
        }
    }

    /// Marks a run as driven, before any await. Returns `None` if the run can't be driven now.
    fn claim(&self, run: &RunId) -> Option<(Rc<Journal>, RunState)> {
        let mut runs = self.known.borrow_mut();
        let full = is_full(&runs);
        let known = runs.get_mut(run).filter(|known| known.can_be_driven())?;
        // A run with a requested stop ends soon, so it is driven even if [`MOST_DRIVEN`] other runs
        // are.
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

    /// Returns true if the run is paused, or has ended without unread messages.
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
