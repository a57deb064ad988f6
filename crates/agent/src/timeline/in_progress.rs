//! The effects of a run that are in progress. If a worker's death or a stop interrupts effects,
//! this module returns the events that report it.

use super::usage_count::{spender, tokens_of};
use crate::events::Event;
use gloss_durable::Path;
use gloss_durable::sorted::{SortedMap, SortedSet};
use gloss_model::Micros;
use gloss_model::phrase::Phrase;
use gloss_tools::RoleCall;

/// The estimated number of tokens of a prompt, and the prompt's cost if known.
pub(super) type Prompt = (u32, Option<Micros>);

/// An effect in progress.
pub(super) enum EffectInProgress {
    /// A model call of the run itself.
    Model {
        /// The prompt, which is charged if the call is abandoned. `None` if the prompt was charged
        /// already, or costs nothing.
        sent: Option<Prompt>,
    },
    /// A step of a tool call. The step sends a request.
    Part {
        /// A description for the user.
        doing: Phrase,
        /// The tool's name, and the prompt that the tool sent to a model. `None` if there is no
        /// prompt, or if the prompt was charged already.
        sent: Option<(String, RoleCall)>,
    },
    /// A tool call that has no steps and calls a model.
    Call {
        /// The tool's name, and the prompt that the tool sent to a model. `None` if the prompt was
        /// charged already.
        sent: Option<(String, RoleCall)>,
    },
    /// An effect that calls no model.
    Other,
}

/// The effects in progress, by their paths.
#[derive(Default)]
pub(super) struct EffectsInProgress {
    begun: SortedMap<Path, EffectInProgress>,
    /// The model calls that a pause or a restart of the browser interrupted. When such a call is
    /// made again, an event reports the repetition.
    dropped: SortedSet<Path>,
    /// The descriptions of the steps of tool calls that a pause or a restart of the browser
    /// interrupted.
    again: Vec<Phrase>,
}

impl EffectsInProgress {
    /// Adds an effect that begins. Returns true if the same effect was interrupted before.
    pub(super) fn begin(&mut self, path: &Path, flight: EffectInProgress) -> bool {
        let was_dropped = self.dropped.remove(path);
        self.begun.insert(path.clone(), flight).is_some() || was_dropped
    }

    /// Removes an effect that ended.
    pub(super) fn end(&mut self, path: &Path) -> Option<EffectInProgress> {
        self.begun.remove(path)
    }

    /// Removes an effect that was interrupted. Returns the event that charges the effect's prompt.
    /// `is_pause` is true if the run only pauses, so that the effect is performed again later.
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

    /// Removes all effects, because no outcome will be recorded for them.
    pub(super) fn clear(&mut self) {
        self.begun.clear();
        self.again.clear();
    }

    /// Returns true if a model call of the run itself is in progress.
    pub(super) fn has_model(&self) -> bool {
        let mut begun = self.begun.values();
        begun.any(|flight| matches!(flight, EffectInProgress::Model { .. }))
    }

    /// Removes and returns the descriptions of the steps of tool calls that will be made again.
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

    /// Returns the events that charge the prompts whose replies were lost with the worker. Each
    /// prompt is charged only once.
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
