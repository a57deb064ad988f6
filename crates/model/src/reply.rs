//! The reply of a model.

use super::{Complexity, Echo, Fault, Server, ToolCall};
use crate::phrase::{DisplayText, Phrase};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A model's reply to one request.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// The answer as Markdown; empty if the reply calls tools.
    pub text: String,
    /// The tool calls.
    pub calls: Vec<ToolCall>,
    /// The control data for the loop.
    pub control: Control,
    /// The tokens used.
    pub usage: Usage,
    /// The reason for its end.
    #[serde(default, skip_serializing_if = "Finish::is_stop")]
    pub finish: Finish,
    /// The model's thinking, if the provider returns it; not part of the answer.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reasoning: String,
    /// The error in a tool call that can't be read, so that the model can correct it. `text` is
    /// then the text before the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub malformed: Option<String>,
    /// The text of that call, for the model only.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub written: String,
    /// Data that the provider requires back with the calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub echo: Option<Echo>,
}

impl Reply {
    /// Returns true if the reply calls tools, readable or not.
    pub fn calls_tools(&self) -> bool {
        !self.calls.is_empty() || self.malformed.is_some()
    }
}

/// The reason for a reply's end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// The reply is complete, or calls tools.
    #[default]
    Stop,
    /// The token limit of replies is reached: the reply is cut off.
    Length,
    /// The provider withheld the rest.
    Filtered,
    /// The model declined; `text` gives its reason.
    Declined,
}

impl Finish {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    fn is_stop(&self) -> bool {
        *self == Self::Stop
    }
}

/// Control data from a model to the loop, not shown to the user (DETAILS §2). All fields may be
/// missing; the loop then continues within its limits.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Control {
    /// The reason for the next action.
    pub thought: Option<DisplayText>,
    /// The meaning of the tool results.
    pub observation: Option<DisplayText>,
    /// True if the goal is met.
    pub goal_met: Option<bool>,
    /// The parts of the goal that are now finished.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub completed: Vec<String>,
    /// Decisions that later steps must respect.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<String>,
    /// The model's confidence in its answer, 0 to 1.
    pub confidence: Option<f32>,
    /// The difficulty of the request.
    pub complexity: Option<Complexity>,
    /// The cause of a failed call, and the alternative.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reflection: Option<Reflection>,
    /// The same for several failed calls, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reflections: Vec<Reflection>,
    /// A note by Gloss under the answer.
    pub remark: Option<Phrase>,
    /// Labels by Gloss between the blocks of the answer, or instead of blocks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub leads: Vec<QuoteLabel>,
}

impl Control {
    /// Adds fields of `later` that are still empty, and appends its lists.
    pub fn add(&mut self, later: Self) {
        self.thought = self.thought.take().or(later.thought);
        self.observation = self.observation.take().or(later.observation);
        self.goal_met = self.goal_met.or(later.goal_met);
        self.completed.extend(later.completed);
        self.decisions.extend(later.decisions);
        self.reflection = self.reflection.take().or(later.reflection);
        if self.reflections.is_empty() {
            self.reflections = later.reflections;
        }
        self.confidence = self.confidence.or(later.confidence);
        self.complexity = self.complexity.or(later.complexity);
    }
}

/// A lesson from a failed call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reflection {
    /// The cause of the failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The alternative to try.
    pub instead: String,
}

/// A label by Gloss within an answer of quotes, or all of a reply. Not part of the Markdown,
/// because each surface has its own language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuoteLabel {
    /// The index of the block after the label, from 0; the number of blocks puts it at the end.
    pub before: usize,
    /// The label's message.
    pub says: Phrase,
}

/// The token counts of one call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// The input tokens, including cached ones.
    pub input_tokens: u32,
    /// The output tokens, including reasoning.
    pub output_tokens: u32,
    /// The input tokens read from the provider's cache.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cached_tokens: u32,
    /// The input tokens written to a cache that charges for writing.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cache_written_tokens: u32,
    /// The output tokens used for reasoning.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub reasoning_tokens: u32,
}

impl Usage {
    /// The usage of this many equal calls.
    #[must_use]
    pub fn times(self, calls: u32) -> Self {
        Self {
            input_tokens: self.input_tokens.saturating_mul(calls),
            output_tokens: self.output_tokens.saturating_mul(calls),
            cached_tokens: self.cached_tokens.saturating_mul(calls),
            cache_written_tokens: self.cache_written_tokens.saturating_mul(calls),
            reasoning_tokens: self.reasoning_tokens.saturating_mul(calls),
        }
    }

    /// Returns true if no tokens were used or counted.
    pub(crate) fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(tokens: &u32) -> bool {
    *tokens == 0
}

/// The origin of an answer's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerOrigin {
    /// Quotes from the page; shown in a serif font.
    Page,
    /// Text by a model; shown in a sans-serif font.
    Model,
}

/// The reason why a model did not answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum ModelError {
    /// There is no page to quote, or no readable text on it.
    #[error("there is no page to quote from")]
    NoPage,
    /// The provider refused or failed.
    #[error("{message}")]
    Failed {
        /// The provider's message.
        message: String,
    },
    /// A server, or the connection to it, failed.
    #[error("{}: {fault}", server.name)]
    Server {
        /// The server of the call.
        server: Box<Server>,
        /// The error.
        fault: Fault,
        /// The answer up to the error.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        partial: String,
        /// The usage up to the error, as reported or estimated; zero if the answer had not begun.
        #[serde(default, skip_serializing_if = "Usage::is_none")]
        used: Usage,
    },
}

impl ModelError {
    /// Returns true if the same call may succeed soon.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::NoPage | Self::Failed { .. } => false,
            Self::Server { fault, .. } => fault.is_retryable(),
        }
    }

    /// The answer up to the error, as Markdown.
    pub fn partial(&self) -> &str {
        match self {
            Self::Server { partial, .. } => partial,
            Self::NoPage | Self::Failed { .. } => "",
        }
    }

    /// The usage of the failed call.
    pub fn used(&self) -> Usage {
        match self {
            Self::NoPage | Self::Failed { .. } => Usage::default(),
            Self::Server { used, .. } => *used,
        }
    }

    /// Returns true if the prompt was too long for the model.
    pub fn is_too_long(&self) -> bool {
        let too_long = |fault: &Fault| matches!(fault, Fault::ContextTooLong { .. });
        matches!(self, Self::Server { fault, .. } if too_long(fault))
    }

    /// Returns true if the keys are locked: only the user can unlock them, and a fallback model
    /// should not answer instead.
    pub fn needs_unlocked_keys(&self) -> bool {
        let locked = |fault: &Fault| matches!(fault, Fault::KeysLocked);
        matches!(self, Self::Server { fault, .. } if locked(fault))
    }

    /// Returns true if the server may have processed the request.
    pub fn leaves_open(&self) -> bool {
        matches!(self, Self::Server { fault, .. } if fault.leaves_open())
    }

    /// The origin for which the user has to grant access first.
    pub fn origin_needed(&self) -> Option<&str> {
        match self {
            Self::Server {
                fault: Fault::NotPermitted { origin },
                ..
            } => Some(origin),
            Self::NoPage | Self::Failed { .. } | Self::Server { .. } => None,
        }
    }

    /// The wait that the provider asks for, in ms.
    pub fn retry_after_ms(&self) -> Option<u64> {
        match self {
            Self::NoPage | Self::Failed { .. } => None,
            Self::Server { fault, .. } => fault.retry_after_ms(),
        }
    }
}
