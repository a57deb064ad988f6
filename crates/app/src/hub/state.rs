//! The state of the hub: every loaded run as surfaces show it, and the conversations of these runs.

use super::Outgoing;
use super::surfaces::Surfaces;
use crate::SurfaceId;
use crate::surface::{ConversationSettings, ConversationSummary, Defaults, Reply, Turn, Update};
use gloss_agent::{Event, Failure, Status, Timeline};
use gloss_durable::sorted::{SortedMap, sort_by_key};
use gloss_durable::{Entry, Record, RunId, json};
use gloss_host::TabId;
use serde::{Deserialize, Serialize};

/// The maximum number of tabs whose conversations are stored.
const MOST_PLACES: usize = 100;

#[derive(Default)]
pub(super) struct State {
    pub(super) runs: SortedMap<RunId, RunView>,
    pub(super) conversations: SortedMap<RunId, Conversation>,
    pub(super) current: SortedMap<TabId, TabConversation>,
    pub(super) surfaces: Surfaces,
    pub(super) warnings: Vec<Failure>,
}

/// The conversation that a tab shows, and the time at which the tab began to show it. The journals,
/// which are read in any order, may name different conversations for a tab. The latest time
/// decides.
#[derive(Default, Clone, Serialize, Deserialize)]
pub(super) struct TabConversation {
    /// The conversation; `None` after the user pressed "New chat".
    pub(super) conversation: Option<RunId>,
    pub(super) at_ms: u64,
}

/// One run as surfaces show it, with the timeline that computes its events.
pub(super) struct RunView {
    pub(super) timeline: Timeline,
    pub(super) turn: Turn,
    /// The time of the run's last record, in milliseconds since the Unix epoch.
    pub(super) at_ms: u64,
}

/// The turns of a conversation, and the number of its events that this worker has sent.
#[derive(Default)]
pub(super) struct Conversation {
    pub(super) turns: Vec<RunId>,
    pub(super) n: u64,
}

impl Conversation {
    /// Adds a run as a turn. A run that replaces another turn is inserted right after that turn.
    fn take(&mut self, run: &RunId, replaces: Option<&RunId>) {
        if self.turns.contains(run) {
            return;
        }
        let place = self.turns.iter().position(|turn| Some(turn) == replaces);
        let place = place.map_or(self.turns.len(), |place| place + 1);
        self.turns.insert(place, run.clone());
    }
}

impl State {
    /// Returns true if any loaded turn has a tool call that saved facts.
    pub(super) fn shows_memory(&self) -> bool {
        let steps = self.runs.values().flat_map(|view| &view.turn.steps);
        let mut calls = steps.flat_map(|step| &step.calls);
        calls.any(|call| !call.saved_facts.is_empty())
    }

    /// Applies a record to a run and returns the record's events. If the run begins a conversation,
    /// the run's tab shows that conversation.
    pub(super) fn take(&mut self, run: &RunId, record: &Record) -> Vec<Event> {
        let begins = self.tab_of(run).is_none();
        let events = self.fold_in(run, record);
        if let Some(tab) = self.tab_of(run).filter(|_| begins) {
            let conversation = self.conversation_of(run);
            let known = conversation.as_ref();
            let turns = known.and_then(|id| self.conversations.get(id));
            // Only the first turn makes the tab show its conversation. A later turn must not
            // replace the conversation that the user has opened in the tab since then.
            if turns.is_some_and(|known| known.turns.len() == 1) {
                self.show(tab, conversation, record.at_ms);
            }
        }
        match &record.entry {
            Entry::Left => {
                let left = self.conversation_of(run);
                let tab = self.tab_of(run).filter(|tab| self.current(*tab) == left);
                if let Some(tab) = tab {
                    self.show(tab, None, record.at_ms);
                }
            }
            Entry::Shown { place } => {
                if let Ok(tab) = json::read::<TabId>(place) {
                    self.show(tab, self.conversation_of(run), record.at_ms);
                }
            }
            _ => {}
        }
        events
    }

    /// Applies a record to a run and returns the record's events. The conversations that tabs show
    /// don't change.
    pub(super) fn fold_in(&mut self, run: &RunId, record: &Record) -> Vec<Event> {
        let view = self.runs.or_insert_with(run.clone(), || RunView {
            timeline: Timeline::default(),
            turn: Turn::new(run.clone()),
            at_ms: 0,
        });
        let begins = view.timeline.config().is_none();
        let events = view.timeline.read(record);
        for event in &events {
            view.turn.fold(event, record.at_ms);
        }
        view.at_ms = record.at_ms;
        if begins && let Some(config) = view.timeline.config() {
            let conversation = config.conversation.clone();
            let replaces = config.replaces.clone();
            let known = self.conversations.or_default(conversation);
            known.take(run, replaces.as_ref());
        }
        events
    }

    /// Makes a tab show a conversation, or none. Does nothing if the tab's conversation was set
    /// later than `at_ms`.
    pub(super) fn show(&mut self, tab: TabId, conversation: Option<RunId>, at_ms: u64) {
        let current = self.current.or_default(tab);
        if at_ms >= current.at_ms {
            *current = TabConversation {
                conversation,
                at_ms,
            };
        }
    }

    /// Makes a tab show a conversation, or none, even if the clock was set back since the last
    /// change.
    pub(super) fn turn_to(&mut self, tab: TabId, conversation: Option<RunId>, now_ms: u64) {
        let last_ms = self.current.get(&tab).map_or(0, |current| current.at_ms);
        self.show(tab, conversation, now_ms.max(last_ms));
    }

    /// Returns true if the run belongs to the surface's tab or to the conversation that the surface
    /// shows. The surface must then get the run's events.
    pub(super) fn watches(&self, surface: SurfaceId, run: &RunId) -> bool {
        let beside = self.surfaces.tab(surface);
        beside.is_some() && beside == self.tab_of(run)
            || self.shown_id(surface) == self.conversation_of(run).as_ref()
    }

    /// Returns the turns of a conversation that surfaces show. If the user repeats a turn, the
    /// original turn is hidden while the replacement is open or has an answer. If the replacement
    /// failed, the original turn is shown again.
    pub(super) fn shown_turns(&self, conversation: &Conversation) -> Vec<&RunView> {
        let views = conversation.turns.iter();
        let views: Vec<&RunView> = views.filter_map(|run| self.runs.get(run)).collect();
        let stands = |view: &RunView| view.turn.is_open() || view.turn.answer.is_some();
        let replaced: Vec<&RunId> = views
            .iter()
            .filter(|view| stands(view))
            .filter_map(|view| view.timeline.config()?.replaces.as_ref())
            .collect();
        let shown = views.iter().copied();
        shown
            .filter(|view| !replaced.contains(&&view.turn.run))
            .collect()
    }

    /// Returns true if a run was to replace another turn and ended without an answer. The other
    /// turn is then shown again.
    pub(super) fn restores_replaced_turn(&self, run: &RunId) -> bool {
        let view = self.runs.get(run);
        view.is_some_and(|view| {
            let replaces = view
                .timeline
                .config()
                .and_then(|config| config.replaces.as_ref());
            replaces.is_some() && !view.turn.is_open() && view.turn.answer.is_none()
        })
    }

    pub(super) fn current(&self, tab: TabId) -> Option<RunId> {
        self.current.get(&tab)?.conversation.clone()
    }

    /// Returns the conversations of the tabs that last changed their conversation, at most
    /// [`MOST_PLACES`].
    pub(super) fn places(&self) -> Vec<(TabId, TabConversation)> {
        let places = self.current.iter();
        let mut places: Vec<(TabId, TabConversation)> =
            places.map(|(tab, place)| (*tab, place.clone())).collect();
        sort_by_key(&mut places, |(_, place)| std::cmp::Reverse(place.at_ms));
        places.truncate(MOST_PLACES);
        places
    }

    /// Sorts a conversation's turns by their start time. A turn that replaces another turn comes
    /// right after the other turn.
    pub(super) fn order(&mut self, conversation: &RunId) {
        let Some(known) = self.conversations.get_mut(conversation) else {
            return;
        };
        let mut turns = std::mem::take(&mut known.turns);
        sort_by_key(&mut turns, |run| {
            self.runs.get(run).map(|view| view.turn.started_at_ms)
        });
        for run in turns {
            let config = self.runs.get(&run).and_then(|view| view.timeline.config());
            let replaces = config.and_then(|config| config.replaces.clone());
            known.take(&run, replaces.as_ref());
        }
    }

    pub(super) fn past(&self) -> Vec<ConversationSummary> {
        let past = self.conversations.iter().filter_map(|(id, known)| {
            let mut views = known.turns.iter().filter_map(|run| self.runs.get(run));
            let first = views.clone().next()?;
            let last = views.next_back().unwrap_or(first);
            Some(ConversationSummary {
                conversation: id.clone(),
                goal: first.turn.goal.clone(),
                page: first.turn.page.clone(),
                status: last.turn.status,
                turns: known.turns.len() as u32,
                at_ms: last.at_ms,
                paused: (last.turn.status == Status::Paused).then(|| last.turn.run.clone()),
            })
        });
        past.collect()
    }

    pub(super) fn stream(
        &mut self,
        run: &RunId,
        intent: u64,
        offset: usize,
        text: &str,
    ) -> (Vec<Event>, u64) {
        let Some(view) = self.runs.get_mut(run) else {
            return (Vec::new(), 0);
        };
        let event = view.timeline.stream(intent, offset, text);
        if let Some(event) = &event {
            view.turn.fold(event, view.at_ms);
        }
        (event.into_iter().collect(), view.at_ms)
    }

    pub(super) fn fold(&mut self, run: &RunId, event: &Event, at_ms: u64) {
        if let Some(view) = self.runs.get_mut(run) {
            view.turn.fold(event, at_ms);
        }
    }

    /// Gives an event the next number of its conversation. Returns the messages to the surfaces
    /// that show the conversation.
    pub(super) fn number(&mut self, epoch: u64, run: &RunId, event: Event, at_ms: u64) -> Outgoing {
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
        let shows = |surface: &SurfaceId| {
            self.shown_id(*surface) == Some(&id) && self.surfaces.is_told(*surface)
        };
        self.surfaces
            .ids()
            .filter(shows)
            .filter_map(|surface| Some((self.surfaces.sender(surface)?, reply.clone())))
            .collect()
    }

    /// Returns the settings of the conversation's last run, or the defaults if there is no run.
    pub(super) fn tuning(
        &self,
        conversation: Option<&Conversation>,
        defaults: &Defaults,
    ) -> ConversationSettings {
        let last = conversation.and_then(|conversation| conversation.turns.last());
        let config = last.and_then(|run| self.runs.get(run)?.timeline.config());
        config.map_or_else(|| defaults.tuning.clone(), ConversationSettings::of)
    }

    pub(super) fn conversation_of(&self, run: &RunId) -> Option<RunId> {
        let config = self.runs.get(run)?.timeline.config()?;
        Some(config.conversation.clone())
    }

    pub(super) fn tab_of(&self, run: &RunId) -> Option<TabId> {
        Some(self.runs.get(run)?.timeline.config()?.tab)
    }

    pub(super) fn shown_id(&self, surface: SurfaceId) -> Option<&RunId> {
        self.current
            .get(&self.surfaces.tab(surface)?)?
            .conversation
            .as_ref()
    }

    pub(super) fn shown(&self, surface: SurfaceId) -> Option<&Conversation> {
        self.conversations.get(self.shown_id(surface)?)
    }
}
