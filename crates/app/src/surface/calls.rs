//! The calls of a step, as surfaces show them.

use gloss_model::Micros;
use gloss_model::phrase::Phrase;
use gloss_tools::{CallEnd, Minded};
use serde::{Deserialize, Serialize};

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallShown {
    /// Its id, unique within the step.
    pub id: String,
    /// The tool's name.
    pub tool: String,
    /// What it was called with, as JSON.
    pub arguments: String,
    /// Where it stands.
    pub state: CallState,
    /// What it is doing, where it is one of several steps.
    #[serde(default)]
    pub doing: Option<Phrase>,
    /// What it gave, in one line.
    pub summary: Option<Phrase>,
    /// How long it took.
    pub duration_ms: u64,
    /// What a model reads of what it gave, estimated in tokens.
    pub tokens: u32,
    /// What it asked of models itself came to, in millionths of a dollar; `None` where a
    /// price is not known.
    pub cost: Option<Micros>,
    /// What the image shows that it gave.
    #[serde(default)]
    pub picture: Option<String>,
    /// What became of the facts that it was to remember.
    #[serde(default)]
    pub minded: Vec<Minded>,
}

impl CallShown {
    /// A call of which nothing is known yet but what it asks for.
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
            minded: Vec::new(),
        }
    }
}

/// Where a call stands (DETAILS §4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallState {
    /// It waits its turn.
    Pending,
    /// At work.
    Running,
    /// It gave a result.
    Completed,
    /// It gave an error.
    Failed,
    /// It did not end in time.
    TimedOut,
    /// It was not made.
    Skipped,
    /// It lacks the person's word.
    Rejected,
}

impl CallState {
    /// Whether it is over.
    pub fn is_over(self) -> bool {
        !matches!(self, Self::Pending | Self::Running)
    }

    /// Whether something went wrong, rather than was not wanted.
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
