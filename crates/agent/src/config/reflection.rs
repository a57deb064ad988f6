//! What was learned from a call that failed.

use gloss_model::phrase::Said;
use gloss_tools::ErrorKind;
use serde::{Deserialize, Serialize};

/// So much of a call, of an error and of what is said of them is kept, in characters.
pub(crate) const MOST_KEPT: usize = 300;

/// What was learned from a call that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reflection {
    /// The act that failed: its run and its place there.
    pub id: String,
    /// The tool.
    pub tool: String,
    /// Which kind of error it was.
    pub kind: ErrorKind,
    /// What it was called with, as JSON, cut.
    pub arguments: String,
    /// The error, cut.
    pub error: String,
    /// Why it happened; `None` where only the kind is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub analysis: Option<String>,
    /// What to do instead.
    pub fix: Said,
    /// Whether another call of the tool about the like went well with it in view.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub applied: bool,
    /// When it was kept, in milliseconds since the Unix epoch. The run that learns it doesn't
    /// say, and neither does what an earlier Gloss kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<u64>,
}
