//! The questions that a run asks the user, and the user's answers.
//!
//! Example: every surface shows [`MissingRight::Provider`] as "Permission needed" until a
//! [`Verdict`] arrives for its [`Wait`].

use gloss_durable::Message;
use gloss_tools::MissingRight;
use serde::{Deserialize, Serialize};

/// A point at which a run waits for the user. The user's answer contains the wait's id, so that a
/// late answer can't apply to another question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wait {
    /// The id, unique within the run.
    pub id: u64,
    /// The decision or permission that is needed.
    pub need: MissingRight,
}

/// The user's decision about a [`MissingRight`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The permission was granted; the action is performed again with the permission.
    Granted,
    /// The user chose "Not now": the run continues without the permission.
    Refused,
}

impl Message for Verdict {
    const NAME: &'static str = "verdict";
}
