//! What a run waits for the person with.
//!
//! Driving example: [`Need::Provider`] stands as "Permission needed" in every
//! surface until a [`Verdict`] arrives for its [`Wait`].

use crate::host::TabId;
use serde::{Deserialize, Serialize};

/// What a run needs the person's word for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Need {
    /// To read the page in this tab.
    Site {
        /// Which.
        tab: TabId,
    },
    /// To speak to a model's server.
    Provider {
        /// What the user calls it.
        name: String,
        /// As in `https://api.example`.
        origin: String,
    },
    /// To make a call again that was cut off: whether it was carried out is not known.
    Outcome {
        /// The tool's name.
        tool: String,
        /// What it was called with, as JSON.
        arguments: String,
        /// When it was sent.
        sent_at_ms: u64,
    },
}

/// A place where a run waits for the person. An answer names it, so that one
/// that comes late answers no other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wait {
    /// Unique within the run.
    pub id: u64,
    /// What for.
    pub need: Need,
}

/// What became of a [`Need`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Chrome gave it; a call is made again.
    Granted,
    /// "Not now": the run goes on without.
    Refused,
}
