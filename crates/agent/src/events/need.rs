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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The permission was granted; the action is performed again with the permission.
    Granted,
    /// The user chose "Not now": the run continues without the permission.
    Refused,
    /// The user approved a call on the sheet "Approve tool call".
    Approved {
        /// The texts of the request's parts, as the user approved or edited them.
        parts: Vec<String>,
        /// The calls that the approval covers.
        scope: ApprovalScope,
        /// The surface on which the user decided.
        from: AnsweredFrom,
    },
    /// The user rejected a call on that sheet.
    Rejected {
        /// The reason for the model; empty if the user gave none.
        reason: String,
        /// The surface on which the user decided.
        from: AnsweredFrom,
    },
}

impl Verdict {
    /// Returns true if the decision allows what was asked for.
    pub fn allows(&self) -> bool {
        matches!(self, Self::Granted | Self::Approved { .. })
    }

    /// Returns true if the user approved all later calls of the same kind too.
    pub fn is_always(&self) -> bool {
        matches!(
            self,
            Self::Approved {
                scope: ApprovalScope::Always,
                ..
            }
        )
    }
}

/// The calls that an approval covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalScope {
    /// The call that the user saw.
    Once,
    /// All calls of the same kind, until the user revokes the approval.
    Always,
}

/// The surface on which the user answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnsweredFrom {
    /// The side panel.
    Panel,
    /// The popup of the toolbar icon.
    Popup,
}

impl Message for Verdict {
    const NAME: &'static str = "verdict";
}
