//! The history of a conversation: the goals, answers and results of earlier turns that a new turn
//! gets.
//!
//! Example: the user asks "And the neaps?" after an answer about spring tides. The earlier
//! question and its answer are read from the journal of their run, even if the panel doesn't show
//! that turn. If the earlier turn was stopped or failed, its partial answer is used instead. If
//! there is no partial answer, the turn's observations are used.

use super::{Run, Runs};
use crate::surface::Turn;
use gloss_agent::trajectory::config_of;
use gloss_agent::{DisplayText, EarlierResults, Exchange, provenance_of};
use gloss_durable::sorted::{SortedMap, sort_by_key};
use gloss_durable::{Record, RunId, has_ended};

/// The context that earlier turns give to a new turn.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct EarlierContext {
    /// The earlier goals and answers, oldest first.
    pub(crate) history: Vec<Exchange>,
    /// The results of earlier turns that the new turn can read.
    pub(crate) earlier: EarlierResults,
}

/// Returns one exchange for the goal of a turn, and one for each message that the turn read. The
/// last exchange gets the answer.
fn exchanges(run: &RunId, records: &[Record]) -> Vec<Exchange> {
    let (timeline, turn) = Turn::of(run, records);
    let found_out = || {
        let said = turn
            .steps
            .iter()
            .filter_map(|step| match &step.observation {
                Some(DisplayText::Words(words)) => Some(words.as_str()),
                Some(DisplayText::Phrase(_)) | None => None,
            });
        said.collect::<Vec<_>>().join("\n")
    };
    let answer = match (&turn.answer, timeline.partial()) {
        (Some(answer), _) => answer.markdown.clone(),
        (None, "") => found_out(),
        (None, partial) => partial.to_owned(),
    };
    let messages = turn.messages.into_iter();
    let read = messages.filter(|message| message.read_at_ms.is_some());
    let goals = std::iter::once(turn.goal).chain(read.map(|message| message.goal));
    let provenance = provenance_of(records);
    let mut exchanges: Vec<Exchange> = goals
        .map(|goal| Exchange {
            goal,
            answer: String::new(),
            provenance: provenance.clone(),
        })
        .collect();
    if let Some(last) = exchanges.last_mut() {
        last.answer = answer;
    }
    exchanges
}

/// A turn and the turn that it replaces.
struct TurnOrder {
    run: RunId,
    replaces: Option<RunId>,
}

impl Runs {
    /// Returns the context for a new turn of a conversation. If the new turn replaces another one,
    /// only the turns before the replaced turn are included.
    pub(crate) fn before(&self, conversation: &RunId, replaces: Option<&RunId>) -> EarlierContext {
        let runs = self.known.borrow();
        let turns = in_order(&runs, conversation);
        // If the user repeated a turn, the original turn is left out while its replacement is open
        // or has an answer.
        let gives_way = |run: &RunId| {
            let mut successors = turns
                .iter()
                .filter(|turn| turn.replaces.as_ref() == Some(run));
            successors.any(|turn| runs.get(&turn.run).is_some_and(Run::is_open_or_answered))
        };
        let before = turns
            .iter()
            .filter(|turn| !gives_way(&turn.run))
            .take_while(|turn| Some(&turn.run) != replaces);
        let before: Vec<&RunId> = before.map(|turn| &turn.run).collect();
        let told = before
            .iter()
            .filter_map(|run| Some((*run, runs.get(*run)?)));
        let told = told.map(|(id, run)| run.journal.read(|records| exchanges(id, records)));
        let last = before.last();
        EarlierContext {
            history: told.flatten().collect(),
            earlier: last.and_then(|run| self.earlier(run)).unwrap_or_default(),
        }
    }

    pub(crate) fn last_turn(&self, conversation: &RunId) -> Option<RunId> {
        let last = in_order(&self.known.borrow(), conversation).pop();
        last.map(|turn| turn.run)
    }

    /// Returns true if a turn of the conversation is loaded.
    pub(super) fn has_turn(&self, conversation: &RunId) -> bool {
        let runs = self.known.borrow();
        runs.values().any(|run| run.conversation == *conversation)
    }
}

/// Sorts the turns of a conversation by their start time. A turn that replaces another turn comes
/// right after the other turn.
fn in_order(runs: &SortedMap<RunId, Run>, conversation: &RunId) -> Vec<TurnOrder> {
    let mut begun: Vec<&(RunId, Run)> = runs
        .iter()
        .filter(|(_, run)| run.conversation == *conversation)
        .collect();
    sort_by_key(&mut begun, |(_, run)| run.begun_at_ms());
    let mut turns: Vec<TurnOrder> = Vec::new();
    for (id, run) in begun {
        let turn = TurnOrder {
            run: id.clone(),
            replaces: run.journal.read(config_of).and_then(|it| it.replaces),
        };
        let place = turns
            .iter()
            .position(|before| Some(&before.run) == turn.replaces.as_ref());
        turns.insert(place.map_or(turns.len(), |place| place + 1), turn);
    }
    turns
}

impl Run {
    fn is_open_or_answered(&self) -> bool {
        let over = self.has_ended() || self.journal.read(has_ended);
        !over || self.has_answer()
    }

    fn has_answer(&self) -> bool {
        let read = |records: &[Record]| Turn::of(self.journal.run(), records).1;
        self.journal.read(read).answer.is_some()
    }
}
