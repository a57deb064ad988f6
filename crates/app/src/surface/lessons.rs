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
    /// The step of the successful call that applied this lesson. `None` if no call has applied it.
    pub applied_in: Option<u8>,
}
