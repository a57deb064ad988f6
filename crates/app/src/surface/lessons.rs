//! Lessons from failed tool calls, as surfaces show them.

use gloss_model::phrase::DisplayText;
use serde::{Deserialize, Serialize};

/// A lesson from a failed tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LearnedLesson {
    /// The lesson's id.
    pub id: String,
    /// The cause of the failure.
    pub analysis: Option<String>,
    /// The advice for the next call.
    pub fix: DisplayText,
    /// The step in which the tool was called again after the model had read this lesson. `None` if
    /// the tool was not called again.
    pub applied_in: Option<u8>,
}
