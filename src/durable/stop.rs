//! Asking a run to stop.

use serde::{Deserialize, Serialize};

/// Who stopped a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// The user.
    User,
}
