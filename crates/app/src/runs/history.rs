//! The history of a conversation: what a new turn gets from the earlier turns' journals.
//!
//! Driving example: the user asks "And the neaps?" after an answer about spring tides. The earlier
//! question and its answer are read from the journal of their run, even if no surface shows that
//! turn. If a turn was stopped or failed, its partial answer is used. Without a partial answer, its
//! observations are used.

use super::{Run, Runs};
use gloss_agent::trajectory::config_of;
use gloss_agent::{DisplayText, EarlierResults, Event, Exchange, Goal, Timeline};
use gloss_durable::sorted::{SortedMap, sort_by_key};
use gloss_durable::{Record, RunId, has_ended};

/// The context that earlier turns give to a new turn.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct EarlierContext {
    /// The earlier goals and answers, oldest first.
    pub(crate) history: Vec<Exchange>,
    /// The results of earlier turns that the new turn can read again.
    pub(crate) earlier: EarlierResults,
}

/// The content of one run that later turns need: a fold over the run's journal.
#[derive(Default)]
struct TurnSummary {
    /// The goal of the run, and the messages that arrived later. The `bool` is true if the run read
    /// the message.
    asked: Vec<(Option<RunId>, Goal, bool)>,
    answer: Option<String>,
    /// The last observation of each step, by the number of the step.
    observations: SortedMap<u8, String>,
    /// The text of an answer that was cut off.
    partial: String,
}

impl TurnSummary {
    fn of(records: &[Record]) -> Self {
        let (mut timeline, mut told) = (Timeline::default(), Self::default());
        for event in records.iter().flat_map(|record| timeline.read(record)) {
            told.take(event);
        }
        timeline.partial().clone_into(&mut told.partial);
        told
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::RunStarted { goal, .. } => self.asked.push((None, goal, true)),
            Event::MessageQueued { message, goal } => {
                self.asked.push((Some(message), goal, false));
            }
            Event::MessageTakenBack { message } => {
                self.asked.retain(|(id, ..)| id.as_ref() != Some(&message));
            }
            Event::MessageRead { message } => {
                let mut asked = self.asked.iter_mut();
                if let Some((.., read)) = asked.find(|(id, ..)| id.as_ref() == Some(&message)) {
                    *read = true;
                }
            }
            Event::ObservationMade {
                step,
                observation: DisplayText::Words(words),
                ..
            } => {
                self.observations.insert(step, words);
            }
            Event::AnswerGiven { answer } => self.answer = Some(answer.markdown),
            _ => {}
        }
    }

    /// The turn's goal and the messages that it read. The answer is assigned to the last of them.
    fn exchanges(self) -> Vec<Exchange> {
        let found_out = || {
            let observations: Vec<String> = self.observations.into_values().collect();
            observations.join("\n")
        };
        let partial = Some(self.partial).filter(|partial| !partial.is_empty());
        let answer = self.answer.or(partial).unwrap_or_else(found_out);
        let read = self.asked.into_iter().filter(|(.., read)| *read);
        let mut exchanges: Vec<Exchange> = read
            .map(|(_, goal, _)| Exchange {
                goal,
                answer: String::new(),
            })
            .collect();
        if let Some(last) = exchanges.last_mut() {
            last.answer = answer;
        }
        exchanges
    }
}

/// A turn and the turn that it replaces.
struct TurnOrder {
    run: RunId,
    replaces: Option<RunId>,
}

impl Runs {
    /// Returns the context for a new turn of a conversation. If the new turn replaces another one,
    /// only the turns before that one count.
    pub(crate) fn before(&self, conversation: &RunId, replaces: Option<&RunId>) -> EarlierContext {
        let runs = self.known.borrow();
        let turns = in_order(&runs, conversation);
        // If the user repeated a turn, the original is left out while the replacement is open or
        // has an answer.
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
        let told = before.iter().filter_map(|run| runs.get(*run));
        let told = told.map(|run| run.journal.read(TurnSummary::of));
        let last = before.last();
        EarlierContext {
            history: told.flat_map(TurnSummary::exchanges).collect(),
            earlier: last.and_then(|run| self.earlier(run)).unwrap_or_default(),
        }
    }

    /// The last turn of a conversation.
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

/// The turns of a conversation by their start. A turn that replaces another one comes right after
/// it.
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
        !over || self.journal.read(TurnSummary::of).answer.is_some()
    }
}
