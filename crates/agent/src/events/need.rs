//! The questions with which a run waits for the user.
//!
//! Driving example: [`Need::Provider`] stands as "Permission needed" in every
//! surface until a [`Verdict`] arrives for its [`Wait`].

use gloss_durable::Message;
use gloss_tools::Need;
use serde::{Deserialize, Serialize};

/// A place where a run waits for the person. An answer names it, so that one
/// that comes late answers no other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wait {
    /// Unique within the run.
    pub id: u64,
    /// What for.
    pub need: Need,
}

/// The user's decision about a [`Need`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Chrome gave it; a call is made again.
    Granted,
    /// "Not now": the run goes on without.
    Refused,
}

impl Message for Verdict {
    const NAME: &'static str = "verdict";
}
