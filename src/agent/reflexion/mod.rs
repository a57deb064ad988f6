//! Reflexion: what is learned from actions that failed (Shinn et al. 2023; SPEC §5).
//!
//! Driving example: `web_fetch` is turned away with 403. Whoever observes that step reads the
//! error, says why it happened and what to do instead, and both stand before the next call; a
//! later run that comes to the like has them from its beginning ([`Episodes`]). What failed is
//! not called again as it was, and a tool that keeps failing is left alone.
//! Deliberately absent: a model's call of its own, as the observation reads the error anyway.

mod episodes;
mod lasting;
mod learn;
mod relevance;
mod retries;
#[cfg(test)]
pub(super) mod tests;

pub use episodes::{Episodes, Keep};
pub(super) use learn::Learning;
pub(super) use retries::Retries;

use crate::phrase::Said;
use crate::tools::ErrorKind;
use serde::{Deserialize, Serialize};

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
