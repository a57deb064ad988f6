//! The effects of a run that are in progress, and the events that follow if a worker's death or a
//! pause interrupts them.

use super::usage_count::{spender, tokens_of};
use crate::events::Event;
use gloss_durable::Path;
use gloss_durable::sorted::{SortedMap, SortedSet};
use gloss_model::Micros;
use gloss_model::phrase::Phrase;
use gloss_tools::RoleCall;

/// The estimated tokens of a prompt, and its cost if that is known.
pub(super) type Prompt = (u32, Option<Micros>);

/// An effect in progress.
pub(super) enum EffectInProgress {
    /// A model call of the run itself.
    Model {
        /// The prompt with its cost; `None` once it was charged, and for a call that is not
        /// charged.
        sent: Option<Prompt>,
    },
    /// A step of a tool call that sends something.
    Part {
        /// A description for the user.
        doing: Phrase,
        /// The tool, and the prompt that its model was sent; `None` once that was charged.
        sent: Option<(String, RoleCall)>,
    },
    /// A tool call without steps that calls a model.
    Call {
        /// The tool, and the prompt that its model is sent; `None` once that was charged.
        sent: Option<(String, RoleCall)>,
    },
    /// An effect that calls no model.
    Other,
}

/// The effects in progress, by their paths.
#[derive(Default)]
pub(super) struct EffectsInProgress {
    begun: SortedMap<Path, EffectInProgress>,
    /// The model calls that a pause dropped: when they are made again, an event says so.
    dropped: SortedSet<Path>,
    /// The descriptions of the steps of calls that a pause dropped.
    again: Vec<Phrase>,
}

impl EffectsInProgress {
    /// Adds an effect; returns true if it was interrupted before.
    pub(super) fn begin(&mut self, path: &Path, flight: EffectInProgress) -> bool {
        let was_dropped = self.dropped.remove(path);
        self.begun.insert(path.clone(), flight).is_some() || was_dropped
    }

    /// Removes an effect that ended.
    pub(super) fn end(&mut self, path: &Path) -> Option<EffectInProgress> {
        self.begun.remove(path)
    }

    /// Removes an effect that was dropped; `is_pause` means that it will continue.
    pub(super) fn drop_effect(&mut self, path: &Path, is_pause: bool) -> Option<Event> {
        match self.begun.remove(path)? {
            EffectInProgress::Model { sent } => {
                if is_pause {
                    self.dropped.insert(path.clone());
                }
                sent.map(own_abandoned)
            }
            EffectInProgress::Part { doing, sent } => {
                if is_pause {
                    self.again.push(doing);
                }
                sent.map(|(tool, sent)| abandoned(&tool, &sent))
            }
            EffectInProgress::Call { sent } => sent.map(|(tool, sent)| abandoned(&tool, &sent)),
            EffectInProgress::Other => None,
        }
    }

    /// Removes all effects, as none of them will end.
    pub(super) fn clear(&mut self) {
        self.begun.clear();
        self.again.clear();
    }

    /// Returns true if a model call of the run itself is in progress.
    pub(super) fn has_model(&self) -> bool {
        let mut begun = self.begun.values();
        begun.any(|flight| matches!(flight, EffectInProgress::Model { .. }))
    }

    /// Returns the descriptions of the steps of calls that will be sent again.
    pub(super) fn take_repeated(&mut self) -> Vec<Phrase> {
        let parts = self.begun.values().filter_map(|flight| match flight {
            EffectInProgress::Part { doing, .. } => Some(doing.clone()),
            EffectInProgress::Model { .. }
            | EffectInProgress::Call { .. }
            | EffectInProgress::Other => None,
        });
        let mut again: Vec<Phrase> = Vec::new();
        for doing in std::mem::take(&mut self.again).into_iter().chain(parts) {
            if !again.contains(&doing) {
                again.push(doing);
            }
        }
        again
    }

    /// Returns the charges of prompts whose replies were lost with the worker. Each prompt is
    /// charged once.
    pub(super) fn abandon(&mut self) -> Vec<Event> {
        let begun = self.begun.values_mut();
        let told = begun.filter_map(|flight| match flight {
            EffectInProgress::Part { sent, .. } | EffectInProgress::Call { sent } => {
                let (tool, sent) = sent.take()?;
                Some(abandoned(&tool, &sent))
            }
            EffectInProgress::Model { sent } => sent.take().map(own_abandoned),
            EffectInProgress::Other => None,
        });
        told.collect()
    }
}

fn abandoned(tool: &str, sent: &RoleCall) -> Event {
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
