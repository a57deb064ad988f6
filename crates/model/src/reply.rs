//! The reply of a model.

use super::{Complexity, Echo, Fault, Server, ToolCall};
use crate::phrase::{DisplayText, Phrase};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A model's reply to one request.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// The answer as Markdown. Empty if the reply calls tools.
    pub text: String,
    /// The tool calls, in order.
    pub calls: Vec<ToolCall>,
    /// The control data for the agent loop.
    pub control: Control,
    /// The tokens that the call used.
    pub usage: Usage,
    /// The reason why the reply ended.
    #[serde(default)]
    pub finish: Finish,
    /// The model's thinking, if the provider returns it. The thinking is not part of the answer.
    #[serde(default)]
    pub reasoning: String,
    /// A description of the error, if a tool call in the reply can't be read. Gloss sends the
    /// description to the model, so that it can correct the call. `text` then contains the text
    /// before that call.
    pub malformed: Option<String>,
    /// The text of the tool call that can't be read. The text is sent back to the model, and is not
    /// shown to the user.
    #[serde(default)]
    pub written: String,
    /// Data that the provider requires back, unchanged, together with the calls of this reply.
    pub echo: Option<Echo>,
}

impl Reply {
    /// Returns true if the reply contains tool calls, even if one can't be read.
    pub fn calls_tools(&self) -> bool {
        !self.calls.is_empty() || self.malformed.is_some()
    }
}

/// The reason why a reply ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// The reply is complete, or it calls tools.
    #[default]
    Stop,
    /// The reply is incomplete, because it reached the maximum number of tokens.
    Length,
    /// The provider did not send the rest of the reply, for example because of a content filter.
    Filtered,
    /// The model declined to answer. `text` contains its explanation.
    Declined,
}

/// Data that the model sends to the agent loop. The user does not see this data (DETAILS §2). If a
/// field is missing, the loop continues within its limits.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Control {
    /// The model's reason for its next action.
    pub thought: Option<DisplayText>,
    /// The model's interpretation of the tool results.
    pub observation: Option<DisplayText>,
    /// True if the model says that the goal is met; `None` if the model says nothing about the
    /// goal.
    pub goal_met: Option<bool>,
    /// The parts of the goal that the model has finished in this step.
    pub completed: Vec<String>,
    /// Decisions of the model that it has to respect in later steps.
    pub decisions: Vec<String>,
    /// The model's confidence in its answer, from 0 to 1.
    pub confidence: Option<f32>,
    /// The model's estimate of how difficult the request is.
    pub complexity: Option<Complexity>,
    /// The lesson from a failed tool call.
    pub reflection: Option<Reflection>,
    /// The lessons from several failed tool calls, in the order of these calls.
    pub reflections: Vec<Reflection>,
    /// A remark that Gloss shows below the answer.
    pub remark: Option<Phrase>,
    /// Labels that Gloss shows between the blocks of the answer, or without an answer.
    pub leads: Vec<QuoteLabel>,
}

impl Control {
    /// Fills empty fields with those of `later`, and appends its lists `completed` and `decisions`.
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

/// A lesson that the model learned from a failed tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reflection {
    /// The cause of the failure.
    pub why: Option<String>,
    /// The alternative that the model should try.
    pub instead: String,
}

/// A label that Gloss shows within an answer that consists of quotes, or in place of an answer.
/// Labels are separate from the Markdown, because the interface shows them in its current language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuoteLabel {
    /// The index, from 0, of the block before which the label is shown. At the end of the answer,
    /// the index is the number of blocks.
    pub before: usize,
    /// The message that the label shows.
    pub says: Phrase,
}

/// The token counts of one or several calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// The input tokens, including those read from a cache.
    pub input_tokens: u32,
    /// The output tokens, including those used for reasoning.
    pub output_tokens: u32,
    /// The input tokens read from the provider's cache.
    #[serde(default)]
    pub cached_tokens: u32,
    /// The input tokens that were written to the provider's cache, if the provider charges for
    /// writing.
    #[serde(default)]
    pub cache_written_tokens: u32,
    /// The output tokens used for reasoning.
    #[serde(default)]
    pub reasoning_tokens: u32,
}

impl Usage {
    /// Returns the usage of a number of calls (`calls`) that each have this usage.
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

    /// Returns true if all counts are zero.
    pub(crate) fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// The author of an answer's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerOrigin {
    /// The answer consists of quotes from the page. It is shown in a serif font.
    Page,
    /// A model wrote the answer. It is shown in a sans-serif font.
    Model,
}

/// The reason why a model did not answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum ModelError {
    /// There is no page to quote, or the page has no readable text.
    #[error("there is no page to quote from")]
    NoPage,
    /// The provider refused the request or failed.
    #[error("{message}")]
    Failed {
        /// The provider's message.
        message: String,
    },
    /// A server failed, or the connection to the server failed.
    #[error("{}: {fault}", server.name)]
    Server {
        /// The server of the call.
        server: Box<Server>,
        /// The kind of failure.
        fault: Fault,
        /// The part of the answer that arrived before the failure, as Markdown.
        #[serde(default)]
        partial: String,
        /// The usage of the failed call, as the provider reported it or as Gloss estimated it. Zero
        /// if no part of the answer arrived.
        #[serde(default)]
        used: Usage,
    },
}

impl ModelError {
    /// Returns true if a repetition of the call may soon succeed.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::NoPage | Self::Failed { .. } => false,
            Self::Server { fault, .. } => fault.is_retryable(),
        }
    }

    /// Returns the part of the answer that arrived before the failure, as Markdown.
    pub fn partial(&self) -> &str {
        match self {
            Self::Server { partial, .. } => partial,
            Self::NoPage | Self::Failed { .. } => "",
        }
    }

    /// Returns the usage of the failed call, which is zero for calls that used nothing.
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

    /// Returns true if the keys are locked. No fallback model should answer in this case, because
    /// the user can unlock the keys.
    pub fn needs_unlocked_keys(&self) -> bool {
        let locked = |fault: &Fault| matches!(fault, Fault::KeysLocked);
        matches!(self, Self::Server { fault, .. } if locked(fault))
    }

    /// Returns true if the server may have processed the request although the call failed.
    pub fn leaves_open(&self) -> bool {
        matches!(self, Self::Server { fault, .. } if fault.leaves_open())
    }

    /// Returns the origin for which the user has to grant access. `None` for all other errors.
    pub fn origin_needed(&self) -> Option<&str> {
        match self {
            Self::Server {
                fault: Fault::NotPermitted { origin },
                ..
            } => Some(origin),
            Self::NoPage | Self::Failed { .. } | Self::Server { .. } => None,
        }
    }

    /// Returns the time to wait before a retry, in ms. `None` if the provider requested no time.
    pub fn retry_after_ms(&self) -> Option<u64> {
        match self {
            Self::NoPage | Self::Failed { .. } => None,
            Self::Server { fault, .. } => fault.retry_after_ms(),
        }
    }
}
