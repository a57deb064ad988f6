//! The origin of a fork: the step at which the fork begins, and the change made at that step.

use crate::config::Settings;
use serde::{Deserialize, Serialize};

/// The origin of a fork, as stored in the fork's configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForkOrigin {
    /// The step, from 1.
    pub step: u8,
    /// The change made at that step.
    pub edit: Edit,
}

/// A change that the user makes in a fork.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edit {
    /// Adds a message that the model reads at this step. The model then writes the step's thought
    /// again.
    Message {
        /// The message's text.
        text: String,
    },
    /// Replaces the step's thought. The step's calls stay the same.
    Thought {
        /// The new thought.
        text: String,
    },
    /// Replaces the arguments of one of the step's calls. The thought stays the same.
    Arguments {
        /// The call's id.
        call: String,
        /// The new arguments, as a JSON object.
        json: String,
    },
    /// Replaces the result of a call.
    Result {
        /// The call's id.
        call: String,
        /// The new result, as JSON or plain text.
        text: String,
    },
    /// Raises the limits of a run that reached a limit. No step is repeated.
    Budget {
        /// The new token limit.
        max_tokens: u32,
        /// The new cost limit, in US cents.
        max_cost_cents: u32,
    },
}

impl ForkOrigin {
    /// Returns true if the model writes the thought of this step again.
    pub(crate) fn regenerates_thought_at(&self, step: u8) -> bool {
        self.step == step && matches!(self.edit, Edit::Message { .. })
    }

    /// Returns the fork's settings: those of the original run, with the limits of the edit.
    pub fn settings(&self, settings: Settings) -> Settings {
        match self.edit {
            Edit::Budget {
                max_tokens,
                max_cost_cents,
            } => Settings {
                max_tokens,
                max_cost_cents,
                ..settings
            },
            _ => settings,
        }
    }
}
