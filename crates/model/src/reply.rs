//! What a model answers.

use super::{Complexity, Echo, Fault, Server, ToolCall};
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
    /// Why it ended.
    #[serde(default, skip_serializing_if = "Finish::is_stop")]
    pub finish: Finish,
    /// What it thought aloud on the way, where its provider tells: no part of the answer.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reasoning: String,
    /// It meant to call a tool and what it wrote cannot be read: what is wrong, for
    /// the model to mend. `text` is then what stood before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub malformed: Option<String>,
    /// What it wrote of that call, for the model alone.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub written: String,
    /// What its provider wants back with the calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub echo: Option<Echo>,
}

impl Reply {
    /// Whether it means to call tools, whether or not that can be read.
    pub fn means_to_call(&self) -> bool {
        !self.calls.is_empty() || self.malformed.is_some()
    }
}

/// Why a reply ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// It had said all, or calls tools.
    #[default]
    Stop,
    /// The most tokens a reply may have were used up: it is cut off.
    Length,
    /// The provider withheld the rest.
    Filtered,
    /// The model declined; `text` says why.
    Declined,
}

impl Finish {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    fn is_stop(&self) -> bool {
        *self == Self::Stop
    }
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
    /// The parts of the goal that are finished now.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub completed: Vec<String>,
    /// What later steps must keep to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<String>,
    /// How sure it is of its answer, 0 to 1.
    pub confidence: Option<f32>,
    /// How hard the request is.
    pub complexity: Option<Complexity>,
    /// Why a call failed, and what to do instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reflection: Option<Lesson>,
    /// The same of several calls, one for each that failed, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reflections: Vec<Lesson>,
    /// What stands under the answer, in our words.
    pub remark: Option<Phrase>,
    /// Our words between the blocks of the answer, or in place of one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub leads: Vec<Lead>,
}

impl Control {
    /// What `later` says of what is not said yet; what it finishes and decides comes on top.
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

/// What a model makes of a failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lesson {
    /// Why it happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// What to do instead.
    pub instead: String,
}

/// Words of ours within an answer that is not in our words: a label over quotes, or all
/// there is to say. They are no part of its Markdown, as each surface has its language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lead {
    /// The block that it stands before, from 0; behind the last where there is none.
    pub before: usize,
    /// What it says.
    pub says: Phrase,
}

/// Tokens of one call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Read, those from the provider's cache included.
    pub input_tokens: u32,
    /// Written, thinking included.
    pub output_tokens: u32,
    /// Of those read: from the provider's cache.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cached_tokens: u32,
    /// Of those read: written into a cache that is paid for.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cache_written_tokens: u32,
    /// Of those written: thought, and not said.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub reasoning_tokens: u32,
}

impl Usage {
    /// That of so many calls alike.
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

    /// Whether nothing was used, or counted.
    pub(crate) fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(tokens: &u32) -> bool {
    *tokens == 0
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
    /// The provider refused or failed.
    #[error("{message}")]
    Failed {
        /// Its words.
        message: String,
    },
    /// A server, or the way to it, failed.
    #[error("{}: {fault}", server.name)]
    Server {
        /// Whom we spoke to.
        server: Box<Server>,
        /// What happened.
        fault: Fault,
        /// The answer as far as it had come.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        partial: String,
        /// What it had used by then, by its own count or by estimate; nothing where it had
        /// not begun to answer.
        #[serde(default, skip_serializing_if = "Usage::is_none")]
        used: Usage,
    },
}

impl ModelError {
    /// Whether the same call may succeed a little later.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::NoPage | Self::Failed { .. } => false,
            Self::Server { fault, .. } => fault.is_retryable(),
        }
    }

    /// The answer as far as it had come, as Markdown.
    pub fn partial(&self) -> &str {
        match self {
            Self::Server { partial, .. } => partial,
            Self::NoPage | Self::Failed { .. } => "",
        }
    }

    /// What the call used although it failed.
    pub fn used(&self) -> Usage {
        match self {
            Self::NoPage | Self::Failed { .. } => Usage::default(),
            Self::Server { used, .. } => *used,
        }
    }

    /// Whether the prompt was too long for the model.
    pub fn is_too_long(&self) -> bool {
        let too_long = |fault: &Fault| matches!(fault, Fault::ContextTooLong { .. });
        matches!(self, Self::Server { fault, .. } if too_long(fault))
    }

    /// Whether only the person can mend it, and would rather do so than have another model
    /// answer.
    pub fn awaits_unlocking(&self) -> bool {
        let locked = |fault: &Fault| matches!(fault, Fault::KeysLocked);
        matches!(self, Self::Server { fault, .. } if locked(fault))
    }

    /// Whether what was asked for may have been done all the same.
    pub fn leaves_open(&self) -> bool {
        matches!(self, Self::Server { fault, .. } if fault.leaves_open())
    }

    /// The origin that the user has to let us speak to first.
    pub fn origin_needed(&self) -> Option<&str> {
        match self {
            Self::Server {
                fault: Fault::NotPermitted { origin },
                ..
            } => Some(origin),
            Self::NoPage | Self::Failed { .. } | Self::Server { .. } => None,
        }
    }

    /// How long the provider asks us to wait before that.
    pub fn retry_after_ms(&self) -> Option<u64> {
        match self {
            Self::NoPage | Self::Failed { .. } => None,
            Self::Server { fault, .. } => fault.retry_after_ms(),
        }
    }
}
