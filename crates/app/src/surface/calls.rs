//! The calls of a step, as surfaces show them.

use gloss_model::Micros;
use gloss_model::phrase::Phrase;
use gloss_tools::{CallEnd, FactOutcome};
use serde::{Deserialize, Serialize};

/// A tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallShown {
    /// Its id, unique within the step.
    pub id: String,
    /// The tool's name.
    pub tool: String,
    /// The call's arguments, as JSON.
    pub arguments: String,
    /// The call's progress.
    pub state: CallState,
    /// The current stage, for a call that has several.
    #[serde(default)]
    pub doing: Option<Phrase>,
    /// The result, in one line.
    pub summary: Option<Phrase>,
    /// The call's duration, in milliseconds.
    pub duration_ms: u64,
    /// The length of the result as a model reads it, estimated in tokens.
    pub tokens: u32,
    /// The cost of the call's own model calls, in millionths of a dollar; `None` if a price is
    /// unknown.
    pub cost: Option<Micros>,
    /// A description of the image that the call made.
    #[serde(default)]
    pub picture: Option<String>,
    /// The outcome for each fact that the call was to remember.
    #[serde(default)]
    pub saved_facts: Vec<FactOutcome>,
}

impl CallShown {
    /// A call of which only the arguments are known yet.
    pub(super) fn of(id: &str, tool: &str, arguments: &str, state: CallState) -> Self {
        Self {
            id: id.to_owned(),
            tool: tool.to_owned(),
            arguments: arguments.to_owned(),
            state,
            doing: None,
            summary: None,
            duration_ms: 0,
            tokens: 0,
            cost: Some(0),
            picture: None,
            saved_facts: Vec::new(),
        }
    }
}

/// The progress of a call (DETAILS §4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallState {
    /// It waits its turn.
    Pending,
    /// It is running.
    Running,
    /// It returned a result.
    Completed,
    /// It returned an error.
    Failed,
    /// It did not end in time.
    TimedOut,
    /// It was not made.
    Skipped,
    /// The user did not allow it.
    Rejected,
}

impl CallState {
    /// Returns true if the call is over.
    pub fn is_over(self) -> bool {
        !matches!(self, Self::Pending | Self::Running)
    }

    /// Returns true if the call went wrong, rather than being skipped or rejected.
    pub fn is_error(self) -> bool {
        matches!(self, Self::Failed | Self::TimedOut)
    }
}

impl From<CallEnd> for CallState {
    fn from(end: CallEnd) -> Self {
        match end {
            CallEnd::Completed => Self::Completed,
            CallEnd::Failed => Self::Failed,
            CallEnd::TimedOut => Self::TimedOut,
            CallEnd::Skipped => Self::Skipped,
            CallEnd::Rejected => Self::Rejected,
        }
    }
}
