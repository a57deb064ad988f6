//! What was learned from calls that failed, as surfaces show it.

use gloss_model::phrase::Said;
use serde::{Deserialize, Serialize};

/// What was learned from a call that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Learned {
    /// Its id.
    pub id: String,
    /// Why it happened.
    pub analysis: Option<String>,
    /// What to do instead.
    pub fix: Said,
    /// The step in which it was in view when the tool was called again.
    pub applied_in: Option<u8>,
}
