//! The ways in which a call ends.

use serde::{Deserialize, Serialize};

/// The way in which a call ended (DETAILS §4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallEnd {
    /// The call returned a result.
    Completed,
    /// The call returned an error.
    Failed,
    /// The call exceeded its time limit.
    TimedOut,
    /// The call was not made, because the run had reached a limit or the call would have failed
    /// again.
    Skipped,
    /// The call was not made, because the user has not allowed it.
    Rejected,
}

impl CallEnd {
    /// Returns true if the call failed or exceeded its time limit. A rejected or skipped call is
    /// not an error.
    pub fn is_error(self) -> bool {
        match self {
            Self::Failed | Self::TimedOut => true,
            Self::Completed | Self::Skipped | Self::Rejected => false,
        }
    }
}
