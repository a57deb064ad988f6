//! Requests to stop a run.

use serde::{Deserialize, Serialize};

/// The cause of a stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// The user stopped the run. The run ends, and the user can continue it.
    User,
    /// The user paused the run. The run has not ended.
    Pause,
    /// The browser or the extension was restarted. The run continues only when the user continues
    /// it, as after a pause.
    Restart,
}

impl Stop {
    /// Returns true if the stop ends the run; false if the stop only pauses the run.
    pub fn ends(self) -> bool {
        match self {
            Self::User => true,
            Self::Pause | Self::Restart => false,
        }
    }

    /// Returns the stop that takes effect if `earlier` was requested before this one. A stop that
    /// ends the run takes precedence over one that pauses it. Between two stops of the same sort,
    /// the earlier one takes effect.
    #[must_use]
    pub fn after(self, earlier: Option<Self>) -> Self {
        match earlier {
            Some(earlier) if earlier.ends() || !self.ends() => earlier,
            Some(_) | None => self,
        }
    }
}
