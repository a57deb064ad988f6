//! What is at work in a run: what a death or a pause cuts off, and what that leaves.

use super::counting::{spender, tokens_of};
use crate::events::Event;
use gloss_durable::Path;
use gloss_durable::sorted::{SortedMap, SortedSet};
use gloss_model::Micros;
use gloss_model::phrase::Phrase;
use gloss_tools::Aided;

/// A prompt by estimate, in tokens; and what it cost, if that is known.
pub(super) type Prompt = (u32, Option<Micros>);

/// An effect in flight.
pub(super) enum Flight {
    /// The run's own model writes.
    Model {
        /// The prompt that it was sent, and what that cost; `None` once that was charged, and of
        /// one that costs nothing and counts nothing.
        sent: Option<Prompt>,
    },
    /// A step of a call sends something.
    Part {
        /// In words for the person.
        doing: Phrase,
        /// The tool, and the prompt that its model was sent; `None` once that was charged.
        sent: Option<(String, Aided)>,
    },
    /// A call that is made at once, and asks a model.
    Call {
        /// The tool, and the prompt that its model is sent; `None` once that was charged.
        sent: Option<(String, Aided)>,
    },
    /// Nobody is asked.
    Other,
}

/// The effects in flight, by their paths.
#[derive(Default)]
pub(super) struct Flights {
    begun: SortedMap<Path, Flight>,
    /// The model calls that a pause dropped: made again, they are said to be.
    dropped: SortedSet<Path>,
    /// The steps of calls that a pause dropped.
    again: Vec<Phrase>,
}

impl Flights {
    /// An effect begins; whether it was cut off before.
    pub(super) fn begin(&mut self, path: &Path, flight: Flight) -> bool {
        let was_dropped = self.dropped.remove(path);
        self.begun.insert(path.clone(), flight).is_some() || was_dropped
    }

    /// It ended.
    pub(super) fn end(&mut self, path: &Path) -> Option<Flight> {
        self.begun.remove(path)
    }

    /// It was dropped; `is_pause`: to be gone on with.
    pub(super) fn gone(&mut self, path: &Path, is_pause: bool) -> Option<Event> {
        match self.begun.remove(path)? {
            Flight::Model { sent } => {
                if is_pause {
                    self.dropped.insert(path.clone());
                }
                sent.map(own_abandoned)
            }
            Flight::Part { doing, sent } => {
                if is_pause {
                    self.again.push(doing);
                }
                sent.map(|(tool, sent)| abandoned(&tool, &sent))
            }
            Flight::Call { sent } => sent.map(|(tool, sent)| abandoned(&tool, &sent)),
            Flight::Other => None,
        }
    }

    /// Nothing of it will end.
    pub(super) fn clear(&mut self) {
        self.begun.clear();
        self.again.clear();
    }

    /// Whether the run's own model is at work.
    pub(super) fn has_model(&self) -> bool {
        let mut begun = self.begun.values();
        begun.any(|flight| matches!(flight, Flight::Model { .. }))
    }

    /// What calls are to send once more, in words.
    pub(super) fn repeated(&mut self) -> Vec<Phrase> {
        let parts = self.begun.values().filter_map(|flight| match flight {
            Flight::Part { doing, .. } => Some(doing.clone()),
            Flight::Model { .. } | Flight::Call { .. } | Flight::Other => None,
        });
        let mut again: Vec<Phrase> = Vec::new();
        for doing in std::mem::take(&mut self.again).into_iter().chain(parts) {
            if !again.contains(&doing) {
                again.push(doing);
            }
        }
        again
    }

    /// The worker died: what models were sent is not heard of again. Each is told once.
    pub(super) fn abandon(&mut self) -> Vec<Event> {
        let begun = self.begun.values_mut();
        let told = begun.filter_map(|flight| match flight {
            Flight::Part { sent, .. } | Flight::Call { sent } => {
                let (tool, sent) = sent.take()?;
                Some(abandoned(&tool, &sent))
            }
            Flight::Model { sent } => sent.take().map(own_abandoned),
            Flight::Other => None,
        });
        told.collect()
    }
}

fn abandoned(tool: &str, sent: &Aided) -> Event {
    Event::CallAbandoned {
        tokens: tokens_of(sent.usage),
        cost: sent.cost,
        by: Some(spender(tool, sent)),
    }
}

fn own_abandoned((tokens, cost): Prompt) -> Event {
    Event::CallAbandoned {
        tokens,
        cost,
        by: None,
    }
}
