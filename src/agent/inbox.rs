//! What a person can tell a run that is at work.

use super::{Goal, Verdict};
use crate::durable::Message;
use serde::{Deserialize, Serialize};

/// A message sent into the conversation meanwhile: read at the next Reason, or a
/// turn of its own if none comes (DETAILS §1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FollowUp {
    /// What is asked for.
    pub goal: Goal,
}

impl Message for FollowUp {
    const NAME: &'static str = "follow_up";
}

impl Message for Verdict {
    const NAME: &'static str = "verdict";
}
