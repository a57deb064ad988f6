//! The tool calls of a step, as surfaces show them.

use gloss_model::Micros;
use gloss_model::phrase::Phrase;
use gloss_tools::{CallEnd, FactOutcome};
use serde::{Deserialize, Serialize};

/// A tool call as surfaces show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallShown {
    /// The call's id, unique within the step.
    pub id: String,
    /// The tool's name.
    pub tool: String,
    /// The call's arguments, as JSON.
    pub arguments: String,
    /// The state of the call.
    pub state: CallState,
    /// The current stage of the call, such as grading search results. `None` if the call is not
    /// running, or if the tool reports no stages.
    #[serde(default)]
    pub doing: Option<Phrase>,
    /// The result, summarised in one line.
    pub summary: Option<Phrase>,
    /// The call's duration, in milliseconds.
    pub duration_ms: u64,
    /// The length of the result as the model gets it, in estimated tokens.
    pub tokens: u32,
    /// The cost of the model calls that the tool made, in millionths of a dollar. `None` if a price
    /// is unknown.
    pub cost: Option<Micros>,
    /// A description of the image that the call made.
    #[serde(default)]
    pub picture: Option<String>,
    /// The outcome for each fact that the call tried to save.
    #[serde(default)]
    pub saved_facts: Vec<FactOutcome>,
}

impl CallShown {
    /// Creates a call that has arguments but no result yet.
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

/// The state of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallState {
    /// The call waits for earlier calls.
    Pending,
    /// The call is running.
    Running,
    /// The call returned a result.
    Completed,
    /// The call returned an error.
    Failed,
    /// The call exceeded its time limit.
    TimedOut,
    /// The call was not made.
    Skipped,
    /// The user did not allow the call.
    Rejected,
}

impl CallState {
    /// Returns true if the call has ended or will not be made.
    pub fn is_over(self) -> bool {
        !matches!(self, Self::Pending | Self::Running)
    }

    /// Returns true if the call failed or timed out.
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
