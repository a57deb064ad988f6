//! Lessons from failed tool calls.

use gloss_model::phrase::DisplayText;
use gloss_model::provenance::{Origin, Provenance};
use gloss_tools::ErrorKind;
use serde::{Deserialize, Serialize};

/// The maximum length of the arguments, the error and the other texts of a lesson, in characters.
pub(crate) const MOST_KEPT: usize = 300;

/// A lesson from a failed tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lesson {
    /// The id of the failed call: the run's id, and the call's position in the run.
    pub id: String,
    /// The tool's name.
    pub tool: String,
    /// The kind of error.
    pub kind: ErrorKind,
    /// The call's arguments as JSON, truncated.
    pub arguments: String,
    /// The error's text, truncated.
    pub error: String,
    /// The cause; `None` if only the kind of error is known.
    pub analysis: Option<String>,
    /// The advice for the next call.
    pub fix: DisplayText,
    /// True if a later, similar call of the tool succeeded after the model had read this lesson.
    #[serde(default)]
    pub applied: bool,
    /// The time at which the lesson was stored, in milliseconds since the Unix epoch. `None` in the
    /// run that learns the lesson, and in data of older versions.
    pub at_ms: Option<u64>,
    /// The origins of everything that the run had read that learned the lesson.
    #[serde(default)]
    pub read: Provenance,
}

impl Lesson {
    /// Returns the origins of the lesson's text. A lesson that states none counts as a tool's text,
    /// because it contains the tool's error.
    pub fn provenance(&self) -> Provenance {
        let provenance = if self.read.is_empty() {
            Provenance::of(Origin::Tool(self.tool.clone()))
        } else {
            self.read.clone()
        };
        provenance.and(Origin::Memory)
    }
}
