//! What surfaces are shown: one fold over every journal, told as it grows.
//!
//! The hub listens to the journals. It keeps each run's [`Turn`] and tells the
//! surfaces of its conversation one numbered event at a time; a surface that
//! connects gets the whole.

mod surfaces;

use super::surface::{Beside, Offer, Reply, Snapshot, Tuning, Turn, Update};
use super::{Send, SurfaceId};
use crate::agent::{Closing, Event, Exchange, Failure, Goal, Timeline};
use crate::durable::{Entry, Journal, Listener, Record, Told};
use crate::host::{RunId, TabId};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use surfaces::Surfaces;

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

#[derive(Default)]
struct State {
    runs: BTreeMap<RunId, View>,
    conversations: BTreeMap<RunId, Conversation>,
    /// Each tab's conversation; `None` after "New chat".
    current: BTreeMap<TabId, Option<RunId>>,
    surfaces: Surfaces,
    warnings: Vec<Failure>,
}

/// One run as it is shown.
struct View {
    timeline: Timeline,
    turn: Turn,
    /// When its last record was noted.
    at_ms: u64,
}

impl View {
    /// The turn as a later one reads it, with what was asked meanwhile.
    fn exchanges(&self) -> Vec<Exchange> {
        let answer = match &self.turn.answer {
            Some(answer) => answer.markdown.clone(),
            None => self.timeline.partial().to_owned(),
        };
        let mut goals = vec![self.turn.goal.clone()];
        let read = self.turn.messages.iter().filter(|m| m.read_at_ms.is_some());
        goals.extend(read.map(|message| message.goal.clone()));
        let last = goals.len() - 1;
        let exchange = |(place, goal)| Exchange {
            goal,
            answer: if place == last {
                answer.clone()
            } else {
                String::new()
            },
        };
        goals.into_iter().enumerate().map(exchange).collect()
    }
}

/// A list of turns, and how many of its events were told in this life.
#[derive(Default)]
struct Conversation {
    turns: Vec<RunId>,
    n: u64,
}

impl Conversation {
    /// A run becomes a turn, in the place of the one that it replaces.
    fn take(&mut self, run: &RunId, replaces: Option<&RunId>) {
        if self.turns.contains(run) {
            return;
        }
        let place = self.turns.iter().position(|turn| Some(turn) == replaces);
        match place.and_then(|place| self.turns.get_mut(place)) {
            Some(turn) => *turn = run.clone(),
            None => self.turns.push(run.clone()),
        }
    }
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
    pub(super) fn new_chat(&self, surface: SurfaceId) -> Option<RunId> {
        let (tab, _) = self.beside(surface)?;
        let mut state = self.state.borrow_mut();
        let left = state
            .shown(surface)
            .and_then(|left| left.turns.last().cloned());
        state.current.insert(tab, None);
        let outgoing = self.snapshots(&state, |id| state.surfaces.tab(id) == Some(tab));
        drop(state);
        send(outgoing);
        left
    }

    /// The conversation that a new run is a turn of. An explanation opens its
    /// own (DETAILS §1).
    pub(super) fn conversation_for(&self, run: &RunId, goal: &Goal, tab: TabId) -> RunId {
        let state = self.state.borrow();
        let current = state.current.get(&tab).cloned().flatten();
        match goal {
            Goal::Explain { .. } => run.clone(),
            Goal::Summarize | Goal::Ask { .. } | Goal::GoOn => {
                current.unwrap_or_else(|| run.clone())
            }
        }
    }

    /// The turn of this conversation that is at work, or waits for the person.
    pub(super) fn open_turn(&self, conversation: &RunId) -> Option<RunId> {
        let state = self.state.borrow();
        let turns = state.conversations.get(conversation)?.turns.iter().rev();
        let mut turns = turns.filter_map(|run| state.runs.get(run));
        turns
            .find(|view| view.turn.is_open())
            .map(|view| view.turn.run.clone())
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

    /// How many messages wait to be read in a run.
    pub(super) fn queued(&self, run: &RunId) -> usize {
        let state = self.state.borrow();
        let messages = state.runs.get(run).map(|view| &view.turn.messages);
        let waiting = messages
            .into_iter()
            .flatten()
            .filter(|m| m.read_at_ms.is_none());
        waiting.count()
    }

    /// What was said in a conversation before a new turn, or before the one that
    /// it replaces; oldest first.
    pub(super) fn history(&self, conversation: &RunId, replaces: Option<&RunId>) -> Vec<Exchange> {
        let state = self.state.borrow();
        let Some(conversation) = state.conversations.get(conversation) else {
            return Vec::new();
        };
        let before = conversation
            .turns
            .iter()
            .take_while(|run| Some(*run) != replaces);
        before
            .filter_map(|run| state.runs.get(run))
            .flat_map(View::exchanges)
            .collect()
    }

    pub(super) fn refuse(&self, surface: SurfaceId, failure: Failure) {
        let sender = self.state.borrow().surfaces.sender(surface);
        if let Some(sender) = sender {
            sender(&Reply::Refused { failure });
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
                .retain(|_, current| current.as_ref() != Some(&id));
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
        if unseen && let Some(tab) = state.tab_of(run) {
            outgoing = self.snapshots(&state, |id| state.surfaces.tab(id) == Some(tab));
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
            let runs = conversation.turns.iter();
            runs.filter_map(|run| state.runs.get(run).map(|view| view.turn.clone()))
                .collect()
        });
        Some(Snapshot {
            epoch: self.epoch,
            n: conversation.map_or(0, |conversation| conversation.n),
            ready_ms: self.ready_ms.get(),
            beside,
            warnings: state.warnings.clone(),
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
        if begins && let Some(tab) = state.tab_of(run) {
            // Whoever stands beside this tab sees its new conversation from here on.
            outgoing = self.snapshots(&state, |id| state.surfaces.tab(id) == Some(tab));
        } else {
            for event in events {
                outgoing.extend(state.number(self.epoch, run, event, at_ms));
            }
        }
        drop(state);
        send(outgoing);
    }
}

impl State {
    /// Folds a record in and gives what it tells.
    fn take(&mut self, run: &RunId, record: &Record) -> Vec<Event> {
        let view = self.runs.entry(run.clone()).or_insert_with(|| View {
            timeline: Timeline::default(),
            turn: Turn::new(run.clone()),
            at_ms: 0,
        });
        let begins = view.timeline.brief().is_none();
        let events = view.timeline.read(record);
        for event in &events {
            view.turn.fold(event, record.at_ms);
        }
        view.at_ms = record.at_ms;
        if begins && let Some(brief) = view.timeline.brief() {
            let (conversation, tab) = (brief.conversation.clone(), brief.tab);
            let replaces = brief.replaces.clone();
            let known = self.conversations.entry(conversation.clone());
            known.or_default().take(run, replaces.as_ref());
            self.current.insert(tab, Some(conversation));
        }
        if matches!(record.entry, Entry::Left)
            && let Some(tab) = self.tab_of(run)
        {
            let left = self.conversation_of(run);
            if self.current.get(&tab) == Some(&left) {
                self.current.insert(tab, None);
            }
        }
        events
    }

    fn stream(&mut self, run: &RunId, intent: u64, offset: usize, text: &str) -> (Vec<Event>, u64) {
        let Some(view) = self.runs.get_mut(run) else {
            return (Vec::new(), 0);
        };
        let event = view.timeline.stream(intent, offset, text);
        if let Some(event) = &event {
            view.turn.fold(event, view.at_ms);
        }
        (event.into_iter().collect(), view.at_ms)
    }

    fn fold(&mut self, run: &RunId, event: &Event, at_ms: u64) {
        if let Some(view) = self.runs.get_mut(run) {
            view.turn.fold(event, at_ms);
        }
    }

    /// Numbers an event for the surfaces that show its conversation.
    fn number(&mut self, epoch: u64, run: &RunId, event: Event, at_ms: u64) -> Outgoing {
        let Some(id) = self.conversation_of(run) else {
            return Vec::new();
        };
        let Some(conversation) = self.conversations.get_mut(&id) else {
            return Vec::new();
        };
        conversation.n += 1;
        let reply = Reply::Update {
            update: Update {
                epoch,
                n: conversation.n,
                run: run.clone(),
                at_ms,
                event,
            },
        };
        let shows = |surface: &SurfaceId| self.shown_id(*surface) == Some(&id);
        self.surfaces
            .ids()
            .filter(shows)
            .filter_map(|surface| Some((self.surfaces.sender(surface)?, reply.clone())))
            .collect()
    }

    /// What the conversation's last message was sent with.
    fn tuning(&self, conversation: Option<&Conversation>, defaults: &Defaults) -> Tuning {
        let last = conversation.and_then(|conversation| conversation.turns.last());
        let brief = last.and_then(|run| self.runs.get(run)?.timeline.brief());
        brief.map_or_else(|| defaults.tuning.clone(), Tuning::of)
    }

    fn conversation_of(&self, run: &RunId) -> Option<RunId> {
        let brief = self.runs.get(run)?.timeline.brief()?;
        Some(brief.conversation.clone())
    }

    fn tab_of(&self, run: &RunId) -> Option<TabId> {
        Some(self.runs.get(run)?.timeline.brief()?.tab)
    }

    fn shown_id(&self, surface: SurfaceId) -> Option<&RunId> {
        self.current.get(&self.surfaces.tab(surface)?)?.as_ref()
    }

    fn shown(&self, surface: SurfaceId) -> Option<&Conversation> {
        self.conversations.get(self.shown_id(surface)?)
    }
}
