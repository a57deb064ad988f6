//! The hub computes from the journals what surfaces (popup and side panel) show, and sends each
//! change to the surfaces.
//!
//! Every journal reports its new records to the hub. The hub keeps one [`super::surface::Turn`] for
//! each run. A surface that connects gets a snapshot. Afterwards the surface gets each event of the
//! conversation that it shows. The events are numbered, so that the surface notices a missing one.

mod erase;
mod state;
mod surfaces;
mod tab_conversations;

use super::surface::{
    ConversationSettings, ConversationSummary, Defaults, Reply, Snapshot, TabContent,
};
use gloss_agent::{Closing, Event, Failure, Goal};
use gloss_durable::sorted::{SortedMap, SortedSet};
use gloss_durable::{Journal, JournalEvent, Listener, Record, RunId, StoreError};
use gloss_host::TabId;
use gloss_memory::{FactId, Loss};
use state::State;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use surfaces::HelloNumber;

/// The id of a connected surface, which the worker assigned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SurfaceId(pub u32);

/// A function that sends a message from the worker to one surface.
pub type Send = Rc<dyn Fn(&Reply)>;

pub(super) struct Hub {
    epoch: u64,
    ready_ms: Cell<f64>,
    unfinished: Cell<u32>,
    known: RefCell<Option<SortedSet<FactId>>>,
    lost: RefCell<SortedMap<FactId, Loss>>,
    defaults: RefCell<Defaults>,
    state: RefCell<State>,
}

/// The browser session in which a loaded run was recorded. After a browser restart, tabs don't show
/// the conversations of earlier sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RunOrigin {
    /// Session storage contains at least one batch of the run.
    ThisSession,
    /// All batches of the run are on disk. They were written in an earlier browser session.
    Before,
}

/// Messages to surfaces. They are sent only while no `RefCell` is borrowed, because the receiving
/// function may call the hub.
type Outgoing = Vec<(Send, Reply)>;

fn send(outgoing: Outgoing) {
    for (send, reply) in outgoing {
        send(&reply);
    }
}

impl Hub {
    pub(super) fn new(epoch: u64) -> Self {
        Self {
            epoch,
            ready_ms: Cell::new(0.0),
            unfinished: Cell::new(0),
            known: RefCell::default(),
            lost: RefCell::default(),
            defaults: RefCell::default(),
            state: RefCell::default(),
        }
    }

    pub(super) fn set_defaults(&self, defaults: Defaults) {
        self.defaults.replace(defaults);
        self.refresh();
    }

    /// Sets the ids of the stored facts, and the reasons for which other facts were removed. If the
    /// ids changed, every surface gets a snapshot.
    pub(super) fn set_known(&self, known: SortedSet<FactId>, lost: SortedMap<FactId, Loss>) {
        self.lost.replace(lost);
        let before = self.known.replace(Some(known));
        let is_news = match before {
            Some(before) => Some(&before) != self.known.borrow().as_ref(),
            // The facts were not read before this call. Surfaces use the ids only for turns with a
            // tool call that saved facts.
            None => self.state.borrow().shows_memory(),
        };
        if is_news {
            self.refresh();
        }
    }

    pub(super) fn refresh(&self) {
        let state = self.state.borrow();
        let outgoing = self.snapshots(&state, |_| true);
        drop(state);
        send(outgoing);
    }

    pub(super) fn ready(&self, ready_ms: f64) {
        self.ready_ms.set(ready_ms);
    }

    pub(super) fn connect(&self, surface: SurfaceId, send: Send) {
        self.state.borrow_mut().surfaces.connect(surface, send);
    }

    pub(super) fn disconnect(&self, surface: SurfaceId) {
        self.state.borrow_mut().surfaces.disconnect(surface);
    }

    /// Returns a surface's tab and the language of its interface; `None` if the surface has no tab.
    pub(super) fn tab_of(&self, surface: SurfaceId) -> Option<(TabId, String)> {
        self.state.borrow().surfaces.beside(surface)
    }

    pub(super) fn set_tab(
        &self,
        surface: SurfaceId,
        tab: Option<TabId>,
        language: String,
    ) -> HelloNumber {
        let mut state = self.state.borrow_mut();
        state.surfaces.set_tab(surface, tab, language)
    }

    /// Stores the content of a surface's tab, and sends the surface a snapshot.
    pub(super) fn look(&self, surface: SurfaceId, hello: HelloNumber, beside: TabContent) {
        let mut state = self.state.borrow_mut();
        // A surface may send a second hello while the page is being read for the first one. Only
        // the result for the latest hello is sent.
        if !state.surfaces.look(surface, hello, beside) {
            return;
        }
        let outgoing = self.snapshots(&state, |id| id == surface);
        drop(state);
        send(outgoing);
    }

    /// Starts an empty conversation for the tab of this surface.
    pub(super) fn new_chat(&self, surface: SurfaceId, now_ms: u64) {
        if let Some((tab, _)) = self.tab_of(surface) {
            self.turn_to(tab, None, now_ms);
        }
    }

    /// Returns the id of the conversation to which a new run is added as a turn. An explanation
    /// begins a conversation of its own.
    pub(super) fn conversation_for(&self, run: &RunId, goal: &Goal, tab: TabId) -> RunId {
        let state = self.state.borrow();
        let current = state.current(tab);
        match goal {
            Goal::Explain { .. } => run.clone(),
            Goal::Summarize | Goal::Ask { .. } | Goal::GoOn => {
                current.unwrap_or_else(|| run.clone())
            }
        }
    }

    /// Makes a tab show the conversation of a run whose first record is not written yet. The next
    /// message from this tab is then added to the same conversation.
    pub(super) fn expect(&self, tab: TabId, conversation: &RunId, now_ms: u64) {
        let mut state = self.state.borrow_mut();
        state.conversations.or_default(conversation.clone());
        state.turn_to(tab, Some(conversation.clone()), now_ms);
    }

    pub(super) fn tell_history(&self, surface: SurfaceId, conversations: Vec<ConversationSummary>) {
        self.tell(surface, &Reply::History { conversations });
    }

    /// Sends a surface the reply to its question, or the failure if there is no reply.
    pub(super) fn answer(&self, surface: SurfaceId, reply: Result<Reply, Failure>) {
        let message = None;
        let refused = |failure| Reply::Refused { failure, message };
        self.tell(surface, &reply.unwrap_or_else(refused));
    }

    /// Returns a summary of every conversation that is loaded.
    pub(super) fn past(&self) -> Vec<ConversationSummary> {
        self.state.borrow().past()
    }

    /// Sets the number of unfinished conversations. These conversations wait until the user
    /// continues them.
    pub(super) fn set_unfinished(&self, count: u32) {
        if self.unfinished.replace(count) != count {
            self.refresh();
        }
    }

    /// Sorts the turns of a conversation by their start time. Runs are loaded in any order.
    pub(super) fn order(&self, conversation: &RunId) {
        self.state.borrow_mut().order(conversation);
    }

    /// Returns true if a turn of the conversation is loaded.
    fn knows(&self, conversation: &RunId) -> bool {
        let state = self.state.borrow();
        let conversation = state.conversations.get(conversation);
        conversation.is_some_and(|known| !known.turns.is_empty())
    }

    /// Returns the settings that the next message of a conversation uses by default.
    pub(super) fn tuning(&self, conversation: &RunId) -> ConversationSettings {
        let state = self.state.borrow();
        let conversation = state.conversations.get(conversation);
        state.tuning(conversation, &self.defaults.borrow())
    }

    pub(super) fn refuse(&self, surface: SurfaceId, failure: Failure, message: Option<RunId>) {
        self.tell(surface, &Reply::Refused { failure, message });
    }

    fn tell(&self, surface: SurfaceId, reply: &Reply) {
        let sender = self.state.borrow().surfaces.sender(surface);
        if let Some(sender) = sender {
            sender(reply);
        }
    }

    /// Adds a warning to all later snapshots of this worker.
    pub(super) fn warn(&self, failure: Failure) {
        let warnings = &mut self.state.borrow_mut().warnings;
        if !warnings.contains(&failure) {
            warnings.push(failure);
        }
    }

    /// Applies records that were written earlier, for example by a worker that died. No events are
    /// sent.
    pub(super) fn recall(&self, run: &RunId, records: &[Record], seen: RunOrigin) {
        let mut state = self.state.borrow_mut();
        // Another worker may have added records to the run. The run's turn is therefore computed
        // again from the first record.
        state.runs.remove(run);
        for record in records {
            match seen {
                RunOrigin::ThisSession => drop(state.take(run, record)),
                RunOrigin::Before => drop(state.fold_in(run, record)),
            }
        }
    }

    /// Removes a run from memory. If it was the only turn of its conversation, tabs no longer show
    /// that conversation.
    pub(super) fn forget(&self, run: &RunId) {
        if let Some(id) = self.unload(run) {
            let mut state = self.state.borrow_mut();
            state
                .current
                .retain(|_, current| current.conversation.as_ref() != Some(&id));
        }
    }

    /// Removes a run from memory. If no other turn of the run's conversation is loaded, returns the
    /// conversation's id. Tabs that showed the conversation show it again once it is loaded.
    pub(super) fn unload(&self, run: &RunId) -> Option<RunId> {
        let mut state = self.state.borrow_mut();
        let id = state.conversation_of(run)?;
        state.runs.remove(run);
        let conversation = state.conversations.get_mut(&id)?;
        conversation.turns.retain(|turn| turn != run);
        let last = conversation.turns.is_empty();
        if last {
            state.conversations.remove(&id);
        }
        last.then_some(id)
    }

    /// Shows a run as ended, even if the record of its end could not be written.
    pub(super) fn close(&self, journal: &Journal, closing: &Closing, at_ms: u64) {
        let run = journal.run();
        let mut state = self.state.borrow_mut();
        let unseen = !state.runs.contains_key(run);
        if unseen && let Some(begun) = journal.read(|records| records.first().cloned()) {
            // Storage refused the run's first record, so the surfaces don't know the run yet. They
            // must show that the run failed.
            state.take(run, &begun);
        }
        let mut outgoing = Vec::new();
        let failed = closing.failure.clone();
        let failed = failed.map(|failure| Event::Failed { failure });
        let ended = Event::RunEnded {
            status: closing.status,
        };
        for event in failed.into_iter().chain([ended]) {
            state.fold(run, &event, at_ms);
            outgoing.extend(state.number(self.epoch, run, event, at_ms));
        }
        if unseen {
            outgoing = self.snapshots(&state, |id| state.watches(id, run));
        }
        drop(state);
        send(outgoing);
    }

    fn snapshots(&self, state: &State, wanted: impl Fn(SurfaceId) -> bool) -> Outgoing {
        let ids = state.surfaces.ids().filter(|id| wanted(*id));
        ids.filter_map(|id| {
            let snapshot = self.snapshot(state, id)?;
            Some((state.surfaces.sender(id)?, Reply::Snapshot { snapshot }))
        })
        .collect()
    }

    fn snapshot(&self, state: &State, surface: SurfaceId) -> Option<Snapshot> {
        let beside = state.surfaces.seen(surface)?;
        let conversation = state.shown(surface);
        let turns = conversation.map(|conversation| {
            let shown = state.shown_turns(conversation).into_iter();
            shown.map(|view| view.turn.clone()).collect()
        });
        Some(Snapshot {
            epoch: self.epoch,
            n: conversation.map_or(0, |conversation| conversation.n),
            ready_ms: self.ready_ms.get(),
            beside,
            warnings: state.warnings.clone(),
            conversation: state.shown_id(surface).cloned(),
            turns: turns.unwrap_or_default(),
            tuning: state.tuning(conversation, &self.defaults.borrow()),
            offers: self.defaults.borrow().offers.clone(),
            tools: self.defaults.borrow().tools.clone(),
            show_thinking: self.defaults.borrow().show_thinking,
            known: self.known.borrow().clone(),
            lost: self.lost.borrow().clone(),
            unfinished: self.unfinished.get(),
        })
    }
}

impl Listener for Hub {
    fn on_archive_failed(&self, _run: &RunId, error: &StoreError) {
        self.warn(Failure::of_archive(error));
        self.refresh();
    }

    fn on_session_storage_failed(&self, _run: &RunId, error: &StoreError) {
        self.warn(Failure::of_session(error));
        self.refresh();
    }

    fn on_event(&self, run: &RunId, told: &JournalEvent) {
        let mut state = self.state.borrow_mut();
        let begins = !state.runs.contains_key(run);
        let (events, at_ms) = match told {
            JournalEvent::Record(record) => (state.take(run, record), record.at_ms),
            JournalEvent::Delta {
                intent,
                offset,
                text,
            } => state.stream(run, *intent, *offset, text),
        };
        let mut outgoing = Vec::new();
        if begins {
            // The event begins a new turn. Surfaces that show the turn's conversation or tab get a
            // snapshot.
            outgoing = self.snapshots(&state, |id| state.watches(id, run));
        } else {
            let ends = events
                .iter()
                .any(|event| matches!(event, Event::RunEnded { .. }));
            for event in events {
                outgoing.extend(state.number(self.epoch, run, event, at_ms));
            }
            if ends && state.restores_replaced_turn(run) {
                // The run was to replace an earlier turn and failed, so the earlier turn is shown
                // again.
                outgoing.extend(self.snapshots(&state, |id| state.watches(id, run)));
            }
        }
        drop(state);
        send(outgoing);
    }
}
