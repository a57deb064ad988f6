//! What surfaces are shown: one fold over every journal, told as it grows.
//!
//! The hub listens to the journals. It keeps each run's turn and tells the
//! surfaces of its conversation one numbered event at a time; a surface that
//! connects gets the whole.

mod erase;
mod state;
mod surfaces;

use super::surface::{Beside, Offer, Reply, Snapshot, Tuning};
use super::{Send, SurfaceId};
use crate::agent::{Closing, Event, Exchange, Failure, Goal};
use crate::durable::{Journal, Listener, Record, Told};
use crate::host::{RunId, TabId};
use state::{State, View};
use std::cell::{Cell, RefCell};

/// All that surfaces see.
pub(super) struct Hub {
    epoch: u64,
    ready_ms: Cell<f64>,
    defaults: RefCell<Defaults>,
    state: RefCell<State>,
}

/// What the person set for all conversations.
pub(super) struct Defaults {
    pub(super) tuning: Tuning,
    pub(super) offers: Vec<Offer>,
    pub(super) show_thinking: bool,
}

/// What is to be said, once nothing is borrowed.
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
            defaults: RefCell::new(Defaults {
                tuning: Snapshot::unknown().tuning,
                offers: Vec::new(),
                show_thinking: false,
            }),
            state: RefCell::default(),
        }
    }

    /// What the person set changed: every surface is told.
    pub(super) fn set_defaults(&self, defaults: Defaults) {
        self.defaults.replace(defaults);
        self.refresh();
    }

    /// Tells every surface all there is.
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

    /// The tab that a surface stands beside, and its language.
    pub(super) fn beside(&self, surface: SurfaceId) -> Option<(TabId, String)> {
        self.state.borrow().surfaces.beside(surface)
    }

    pub(super) fn stand_beside(&self, surface: SurfaceId, tab: Option<TabId>, language: String) {
        let mut state = self.state.borrow_mut();
        state.surfaces.stand_beside(surface, tab, language);
    }

    /// What a surface's tab shows is known: it gets a snapshot.
    pub(super) fn look(&self, surface: SurfaceId, tab: Option<TabId>, beside: Beside) {
        let mut state = self.state.borrow_mut();
        // It moved on to another tab meanwhile.
        if !state.surfaces.look(surface, tab, beside) {
            return;
        }
        let outgoing = self.snapshots(&state, |id| id == surface);
        drop(state);
        send(outgoing);
    }

    /// An empty conversation for the tab of this surface. Gives the last turn of
    /// the one that is left.
    pub(super) fn new_chat(&self, surface: SurfaceId, now_ms: u64) -> Option<RunId> {
        let (tab, _) = self.beside(surface)?;
        let left = self
            .state
            .borrow()
            .shown(surface)
            .and_then(|left| left.turns.last().cloned());
        self.turn_to(tab, None, now_ms);
        left
    }

    /// The conversation that a new run is a turn of. An explanation opens its
    /// own (DETAILS §1).
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

    /// A run was begun whose first record has not landed yet: what follows on this
    /// tab belongs to its conversation.
    pub(super) fn expect(&self, tab: TabId, conversation: &RunId, now_ms: u64) {
        let mut state = self.state.borrow_mut();
        let known = state.conversations.entry(conversation.clone());
        known.or_default();
        state.turn_to(tab, Some(conversation.clone()), now_ms);
    }

    /// Every conversation there is, for this surface.
    pub(super) fn history_for(&self, surface: SurfaceId) {
        let state = self.state.borrow();
        let conversations = state.past();
        let sender = state.surfaces.sender(surface);
        drop(state);
        if let Some(sender) = sender {
            sender(&Reply::History { conversations });
        }
    }

    /// Gives one surface what it asked for, or says why not.
    pub(super) fn answer(&self, surface: SurfaceId, reply: Result<Reply, Failure>) {
        let sender = self.state.borrow().surfaces.sender(surface);
        if let Some(sender) = sender {
            sender(&reply.unwrap_or_else(|failure| Reply::Refused {
                failure,
                message: None,
            }));
        }
    }

    /// Shows a conversation beside the tab of a surface. Gives its last turn.
    pub(super) fn show(
        &self,
        surface: SurfaceId,
        conversation: &RunId,
        now_ms: u64,
    ) -> Option<(TabId, RunId)> {
        let (tab, _) = self.beside(surface)?;
        let last = self.last_turn(conversation)?;
        self.turn_to(tab, Some(conversation.clone()), now_ms);
        Some((tab, last))
    }

    fn turn_to(&self, tab: TabId, conversation: Option<RunId>, now_ms: u64) {
        let mut state = self.state.borrow_mut();
        state.turn_to(tab, conversation, now_ms);
        let outgoing = self.snapshots(&state, |id| state.surfaces.tab(id) == Some(tab));
        drop(state);
        send(outgoing);
    }

    /// The last turn of a conversation.
    pub(super) fn last_turn(&self, conversation: &RunId) -> Option<RunId> {
        let state = self.state.borrow();
        let conversation = state.conversations.get(conversation)?;
        conversation.turns.last().cloned()
    }

    /// What the next message of a conversation starts from.
    pub(super) fn tuning(&self, conversation: &RunId) -> Tuning {
        let state = self.state.borrow();
        let conversation = state.conversations.get(conversation);
        state.tuning(conversation, &self.defaults.borrow())
    }

    /// What was said in a conversation before a new turn, or before the one that
    /// it replaces; oldest first.
    pub(super) fn history(&self, conversation: &RunId, replaces: Option<&RunId>) -> Vec<Exchange> {
        let state = self.state.borrow();
        let Some(conversation) = state.conversations.get(conversation) else {
            return Vec::new();
        };
        let shown = state.shown_turns(conversation);
        shown
            .into_iter()
            .take_while(|view| Some(&view.turn.run) != replaces)
            .flat_map(View::exchanges)
            .collect()
    }

    pub(super) fn refuse(&self, surface: SurfaceId, failure: Failure, message: Option<RunId>) {
        let sender = self.state.borrow().surfaces.sender(surface);
        if let Some(sender) = sender {
            sender(&Reply::Refused { failure, message });
        }
    }

    /// Keeps a warning for every snapshot of this life.
    pub(super) fn warn(&self, failure: Failure) {
        let warnings = &mut self.state.borrow_mut().warnings;
        if !warnings.contains(&failure) {
            warnings.push(failure);
        }
    }

    /// Takes in what earlier lives recorded, telling nobody.
    pub(super) fn recall(&self, run: &RunId, records: &[Record]) {
        let mut state = self.state.borrow_mut();
        // Another worker may have owned it meanwhile: told anew from its start.
        state.runs.remove(run);
        for record in records {
            state.take(run, record);
        }
    }

    /// Forgets a run, and its conversation with its last turn.
    pub(super) fn forget(&self, run: &RunId) {
        let mut state = self.state.borrow_mut();
        let Some(id) = state.conversation_of(run) else {
            return;
        };
        state.runs.remove(run);
        let Some(conversation) = state.conversations.get_mut(&id) else {
            return;
        };
        conversation.turns.retain(|turn| turn != run);
        if conversation.turns.is_empty() {
            state.conversations.remove(&id);
            state
                .current
                .retain(|_, current| current.conversation.as_ref() != Some(&id));
        }
    }

    /// A run whose end could not be written is shown as ended all the same.
    pub(super) fn close(&self, journal: &Journal, closing: &Closing, at_ms: u64) {
        let run = journal.run();
        let mut state = self.state.borrow_mut();
        let unseen = !state.runs.contains_key(run);
        if unseen && let Some(begun) = journal.read(|records| records.first().cloned()) {
            // Its very first write was refused: it must be seen to fail.
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
            show_thinking: self.defaults.borrow().show_thinking,
        })
    }
}

impl Listener for Hub {
    fn told(&self, run: &RunId, told: &Told) {
        let mut state = self.state.borrow_mut();
        let begins = !state.runs.contains_key(run);
        let (events, at_ms) = match told {
            Told::Record(record) => (state.take(run, record), record.at_ms),
            Told::Delta {
                intent,
                offset,
                text,
            } => state.stream(run, *intent, *offset, text),
        };
        let mut outgoing = Vec::new();
        if begins {
            // A turn more: whoever shows its conversation, or stands beside its tab,
            // sees all of it from here on.
            outgoing = self.snapshots(&state, |id| state.watches(id, run));
        } else {
            let ends = events
                .iter()
                .any(|event| matches!(event, Event::RunEnded { .. }));
            for event in events {
                outgoing.extend(state.number(self.epoch, run, event, at_ms));
            }
            if ends && state.gives_back(run) {
                // What it was to replace is there again.
                outgoing.extend(self.snapshots(&state, |id| state.watches(id, run)));
            }
        }
        drop(state);
        send(outgoing);
    }
}
