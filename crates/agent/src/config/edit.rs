//! Where a run was forked from another, and what was changed there.

use crate::config::Settings;
use serde::{Deserialize, Serialize};

/// Where a run was forked, and what was changed there: part of its configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forked {
    /// The step, from 1.
    pub step: u8,
    /// What.
    pub edit: Edit,
}

/// What a person changes in a fork.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edit {
    /// Says something, which is read at the step's Reason; its thought is made anew.
    Message {
        /// The words.
        text: String,
    },
    /// Gives the step's thought other words; its calls stay.
    Thought {
        /// The words.
        text: String,
    },
    /// Gives one of the step's calls other arguments; its thought stays.
    Arguments {
        /// The call's id.
        call: String,
        /// A JSON object.
        json: String,
    },
    /// Puts something else in the place of what a call gave.
    Result {
        /// The call's id.
        call: String,
        /// JSON, or words.
        text: String,
    },
    /// Lets a run that a budget ended go on with more: nothing is done again.
    Budget {
        /// The most tokens.
        max_tokens: u32,
        /// The most that it may cost, in US cents.
        max_cost_cents: u32,
    },
}

impl Forked {
    /// Whether the thought of this step is to be made anew.
    pub(crate) fn is_told_at(&self, step: u8) -> bool {
        self.step == step && matches!(self.edit, Edit::Message { .. })
    }

    /// What the fork may spend, of a run that had these settings.
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
