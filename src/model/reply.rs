//! What a model answers.

use super::{Complexity, ToolCall};
use crate::phrase::{Phrase, Said};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A model's reply to one request.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// The answer's Markdown, if it answers; empty if it calls.
    pub text: String,
    /// The calls it asks for.
    pub calls: Vec<ToolCall>,
    /// What it says to the loop.
    pub control: Control,
    /// What it cost.
    pub usage: Usage,
}

/// What a model says to the loop, apart from the person (DETAILS §2). All of it
/// may be missing: the loop goes on within its bounds.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Control {
    /// Why it acts so.
    pub thought: Option<Said>,
    /// What the results mean.
    pub observation: Option<Said>,
    /// Whether the goal is met.
    pub goal_met: Option<bool>,
    /// How sure it is of its answer, 0 to 1.
    pub confidence: Option<f32>,
    /// How hard the request is.
    pub complexity: Option<Complexity>,
    /// What stands under the answer, in our words.
    pub remark: Option<Phrase>,
}

/// Tokens of one call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Read.
    pub input_tokens: u32,
    /// Written.
    pub output_tokens: u32,
}

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Voice {
    /// The page's own sentences: serif.
    Page,
    /// A model: sans.
    Model,
}

/// Why a model did not answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum ModelError {
    /// There is no page to quote from, or nothing readable on it.
    #[error("there is no page to quote from")]
    NoPage,
    /// The user has not let us speak to this origin.
    #[error("Gloss may not speak to {origin} yet")]
    NotPermitted {
        /// As in `https://api.example`.
        origin: String,
    },
    /// The provider refused or failed.
    #[error("{message}")]
    Failed {
        /// Its words.
        message: String,
    },
}

impl ModelError {
    /// Whether the same call may succeed in a moment.
    pub fn is_retryable(&self) -> bool {
        false
    }

    /// The origin that the user has to let us speak to first.
    pub fn origin_needed(&self) -> Option<&str> {
        match self {
            Self::NotPermitted { origin } => Some(origin),
            Self::NoPage | Self::Failed { .. } => None,
        }
    }

    /// How long the provider asks to wait, if it says.
    pub fn retry_after_ms(&self) -> Option<u64> {
        None
    }
}
