//! What a call gave.

use crate::model::PassagesData;
use crate::page::ReadError;
use crate::phrase::{Phrase, phrase};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

/// A call that was run, or tried.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolOutcome {
    /// What it gave.
    pub result: Result<Output, ToolError>,
    /// How long it took.
    pub duration_ms: u64,
}

/// What a tool gives.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Output {
    /// For the model.
    pub data: Value,
    /// For the person, in one line (SPEC §4).
    pub summary: Phrase,
    /// The share of the page that it holds, in percent; `None` if it does not
    /// stand for the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share_percent: Option<u8>,
}

impl Output {
    /// Passages of the page.
    pub(super) fn passages(data: PassagesData) -> Self {
        let found = &data.passages.len();
        let share_percent = data.share_percent;
        let summary = match share_percent {
            Some(share) => phrase("summary_passages").with(found).with(&share),
            None if data.passages.is_empty() => phrase("summary_nothing_found"),
            None => phrase("summary_found").with(found),
        };
        Self {
            data: serde_json::to_value(data).unwrap_or_default(),
            summary,
            share_percent,
        }
    }
}

/// Why a call gave nothing. The model reads it and may mend the call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum ToolError {
    /// An argument is missing or not what it should be (Property 5).
    #[error("argument `{field}`: expected {expected}, got {got}")]
    Invalid {
        /// The argument's name.
        field: String,
        /// What it should be.
        expected: String,
        /// What it is.
        got: String,
    },
    /// No such tool.
    #[error("there is no tool `{name}`; those most like it: {}", known.join(", "))]
    Unknown {
        /// What was asked for.
        name: String,
        /// Those that are called most like it.
        known: Vec<String>,
    },
    /// The run has no page.
    #[error("there is no page to read")]
    NoPage,
    /// It did not end in time.
    #[error("no result within {seconds} s")]
    TimedOut {
        /// The bound.
        seconds: u64,
    },
    /// What looks pages up failed.
    #[error("{message}")]
    Failed {
        /// Its words.
        message: String,
    },
    /// It was cut off after it was sent, and the person let it be.
    #[error(
        "whether this was carried out is not known: it was cut off after it was sent. \
         It was not repeated, as the user decided; do not call it again unless the user asks"
    )]
    OutcomeUnknown,
}

impl ToolError {
    /// Whether the same call may succeed when it is made again.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::TimedOut { .. } => true,
            // What failed was tried again before it was said.
            Self::Invalid { .. }
            | Self::Unknown { .. }
            | Self::NoPage
            | Self::Failed { .. }
            | Self::OutcomeUnknown => false,
        }
    }

    /// The observation in one line.
    pub fn summary(&self) -> Phrase {
        match self {
            Self::Invalid { field, .. } => phrase("tool_invalid").with(field),
            Self::Unknown { name, .. } => phrase("tool_unknown").with(name),
            Self::NoPage => phrase("tool_no_page"),
            Self::Failed { message } => phrase("tool_failed").with(message),
            Self::OutcomeUnknown => phrase("tool_outcome_unknown"),
            Self::TimedOut { seconds } => phrase("tool_timed_out").with(seconds),
        }
    }
}

impl From<ReadError> for ToolError {
    fn from(error: ReadError) -> Self {
        Self::Failed {
            message: error.to_string(),
        }
    }
}
