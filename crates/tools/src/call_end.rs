//! The ways in which a call ends.

use serde::{Deserialize, Serialize};

/// The way in which a call ended (DETAILS §4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallEnd {
    /// It returned a result.
    Completed,
    /// It returned an error.
    Failed,
    /// It exceeded its time limit.
    TimedOut,
    /// It was not made, because it exceeded a limit or would have failed again.
    Skipped,
    /// It lacked the user's consent or permission.
    Rejected,
}

impl CallEnd {
    /// Returns true if something failed, as opposed to being refused or skipped.
    pub fn is_error(self) -> bool {
        match self {
            Self::Failed | Self::TimedOut => true,
            Self::Completed | Self::Skipped | Self::Rejected => false,
        }
    }
}
