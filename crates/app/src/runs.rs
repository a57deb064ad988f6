//! The runs of this worker, with exactly one drive each.
//!
//! A drive is claimed by a flag that is set before any await; a Web Lock also protects against
//! another worker (DESIGN, rule 9).

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

/// The most runs that are driven at once; others wait for a free place (DETAILS §1).
const MOST_DRIVEN: usize = 4;

/// The revision of the code, recorded in each run's first record: the package's version and, in the
/// extension, a digest of the source (`cargo xtask build`).
pub(super) const REVISION: &str = match option_env!("GLOSS_REVISION") {
    Some(revision) => revision,
    None => env!("CARGO_PKG_VERSION"),
};

/// The name under which session storage holds the conversations of tabs.
const PLACES: &str = "places";

/// The value of [`PLACES`] while everything is being erased. A life that finds it finishes the
/// erasure first.
const ERASING: &str = "erasing";

pub(super) struct Runs {
    host: Host,
    services: Services,
    hub: Rc<Hub>,
    known: RefCell<SortedMap<RunId, Run>>,
    /// True if loading found no stored runs at all.
    empty: Cell<bool>,
    /// True if an alarm for runs that wait for a time is possibly set.
    alarm_may_be_set: Cell<bool>,
    tiers: StorageTiers,
}

struct Run {
    journal: Rc<Journal>,
    standing: RunState,
    /// True if the user continued the run while its drive was still stopping.
    continue_requested: bool,
    /// The conversation that it is a turn of.
    conversation: RunId,
    /// The size of what earlier lives wrote, in bytes.
    stored_bytes: usize,
}

/// The answer of [`Runs::stop`] about a drive: yes if the caller has to drive the run now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NeedsDrive {
    /// Yes: it waited for the user, or for a free place.
    Yes,
    /// No: it is driven, will be, or has ended.
    No,
}

/// The state of a run in this life of the worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RunState {
    /// Begun or continued in this life; not driven yet.
    New,
    /// Loaded from an earlier life; not driven yet.
    Recovered,
    /// Being driven.
    Driven,
    /// It waits for the user or a time, and no drive holds it.
    Parked,
    /// It is paused until the user continues it, and no drive holds it.
    Paused,
    /// Its drive ended.
    Idle,
    /// Another worker owns it, and what is loaded here becomes outdated.
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
            // An earlier life may have set it.
            alarm_may_be_set: Cell::new(true),
            tiers: StorageTiers::default(),
        }
    }

    /// Opens a new run's journal; does nothing if the run exists.
    pub(super) fn begin(&self, run: &RunId, config: &RunConfig) {
        let ports = self.journal_ports();
        self.add(run, config, || {
            Journal::begin(run.clone(), config, REVISION, &ports, self.hub.clone())
        });
    }

    /// Opens a new run's journal that begins with a copy of another's records; does nothing if the
    /// run exists.
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

    /// Returns true if a run of this id exists, or waits as a message.
    pub(super) fn has_begun(&self, run: &RunId) -> bool {
        let runs = self.known.borrow();
        let known = runs.contains_key(run);
        known
            || self.is_filed(run)
            || self.is_found(run)
            || runs.values().any(|it| it.journal.received(&run.0))
    }

    /// The runs that have something to do.
    pub(super) fn open(&self) -> Vec<RunId> {
        let runs = self.known.borrow();
        let open = runs
            .iter()
            .filter(|(_, run)| run.can_be_driven() || run.has_ended() && run.holds_messages());
        open.map(|(id, _)| id.clone()).collect()
    }

    /// The oldest run that waits for a free place, if there is one now.
    pub(super) fn waiting(&self) -> Option<RunId> {
        let runs = self.known.borrow();
        if is_full(&runs) {
            return None;
        }
        let waiting = runs.iter().filter(|(_, run)| run.can_be_driven());
        let oldest = waiting.min_by_key(|(_, run)| run.begun_at_ms());
        oldest.map(|(id, _)| id.clone())
    }

    /// A run's configuration.
    pub(super) fn config(&self, run: &RunId) -> Option<RunConfig> {
        self.journal(run)?.read(config_of)
    }

    /// The results of a run that a later turn can recall.
    fn earlier(&self, run: &RunId) -> Option<EarlierResults> {
        self.journal(run)?
            .read(|records| collect_earlier(run, records))
    }

    /// The turn of a conversation that has not ended.
    pub(super) fn open_turn(&self, conversation: &RunId) -> Option<RunId> {
        let runs = self.known.borrow();
        let mut turns = runs
            .iter()
            .filter(|(_, run)| run.conversation == *conversation);
        let open = turns.find(|(_, run)| !run.has_ended());
        open.map(|(id, _)| id.clone())
    }

    /// A run's journal, if this worker may write it.
    fn journal(&self, run: &RunId) -> Option<Rc<Journal>> {
        let runs = self.known.borrow();
        let ours = runs
            .get(run)
            .filter(|run| run.standing != RunState::Elsewhere);
        ours.map(|run| run.journal.clone())
    }

    /// Drives a run to its end, or until it is parked or paused. Does nothing if it is being
    /// driven, has ended, or there is no free place.
    pub(super) async fn drive(&self, run: &RunId) {
        let Some((journal, stood)) = self.claim(run) else {
            return;
        };
        self.host.watchdog.arm();
        let Some(lock) = self.host.locks.acquire(run).await else {
            // It is loaded again when the alarm, which stays armed, wakes the worker.
            self.set_state(run, RunState::Elsewhere);
            return;
        };
        if stood == RunState::Recovered {
            journal.mark(&Path::root(), Entry::Resumed);
        }
        journal.file_noted();
        let standing = self.work(journal).await;
        // Released before the run can be claimed again, because the next drive needs the same lock.
        drop(lock);
        self.set_state(run, standing);
        self.file(run).await;
        self.let_worker_sleep();
        self.make_room().await;
    }

    /// Lets the worker sleep if no run is active, here or elsewhere.
    pub(super) fn let_worker_sleep(&self) {
        let busy = |run: &Run| matches!(run.standing, RunState::Driven | RunState::Elsewhere);
        // Runs that are only partly in session storage wait for an archive that answers.
        if !self.known.borrow().values().any(busy) && !self.has_found() {
            self.host.watchdog.disarm();
        }
    }

    /// Works until the run ends or waits, and returns its new state.
    async fn work(&self, mut journal: Rc<Journal>) -> RunState {
        let result = loop {
            let result = self.pursue(&journal).await;
            if matches!(result, Err(Halt::Parked { .. })) {
                if journal.read(is_parked) && journal.stop_asked().is_none() {
                    return RunState::Parked;
                }
                // A message or a stop arrived while the run was being parked.
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

    /// Starts a new life of the run and puts it in the place of this one.
    fn begin_next_life(&self, journal: &Journal) -> Rc<Journal> {
        let successor = journal.next_life();
        if let Some(run) = self.known.borrow_mut().get_mut(journal.run()) {
            run.journal = successor.clone();
        }
        successor
    }

    /// Stops a run, even one that no drive has taken up yet. A run that waits for the user or is
    /// paused has no drive, and needs one to end.
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
        // A run that waits for a free place would otherwise notice the stop only then.
        if run.can_be_driven() && (rests || full) {
            NeedsDrive::Yes
        } else {
            NeedsDrive::No
        }
    }

    /// Claims a run for one drive; the claim is set before any await.
    fn claim(&self, run: &RunId) -> Option<(Rc<Journal>, RunState)> {
        let mut runs = self.known.borrow_mut();
        let full = is_full(&runs);
        let known = runs.get_mut(run).filter(|known| known.can_be_driven())?;
        // A run that is about to stop needs no free place.
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

    /// Returns true if this worker will do nothing more for the run.
    fn has_ended(&self) -> bool {
        match self.standing {
            RunState::Idle => true,
            RunState::New | RunState::Recovered => !self.can_be_driven(),
            RunState::Driven | RunState::Parked | RunState::Paused | RunState::Elsewhere => false,
        }
    }

    /// Returns true if nothing more will happen in the run without the user.
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

/// Returns true if the most runs are being driven.
fn is_full(runs: &SortedMap<RunId, Run>) -> bool {
    runs.values().filter(|run| run.is_driven()).count() >= MOST_DRIVEN
}
