//! Asking a run to stop.

use serde::{Deserialize, Serialize};

/// Who stopped a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// The user: the run ends, and can be let go on.
    User,
    /// The user, for a while: the run has not ended.
    Pause,
    /// The browser or the extension was restarted: as after a pause, the run goes
    /// on when the user says so.
    Restart,
}

impl Stop {
    /// Whether it ends the run, which otherwise stands still and is not over.
    pub fn ends(self) -> bool {
        match self {
            Self::User => true,
            Self::Pause | Self::Restart => false,
        }
    }

    /// What holds once both were asked for: the one that ends the run, else the
    /// earlier.
    #[must_use]
    pub fn after(self, earlier: Option<Self>) -> Self {
        match earlier {
            Some(earlier) if earlier.ends() || !self.ends() => earlier,
            Some(_) | None => self,
        }
    }
}
