//! The kinds of errors: a closed list (DETAILS §5).

use crate::tools::ToolError;
use serde::{Deserialize, Serialize};

/// Why an action failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    /// What it was called with is not what it takes.
    Validation,
    /// What it looks for is not there.
    NotFound,
    /// It took too long.
    Timeout,
    /// Nobody answered, or the connection broke off.
    Network,
    /// It was asked too often.
    RateLimit,
    /// It is not allowed.
    Refused,
    /// There is nothing in it.
    Empty,
    /// Anything else.
    Other,
}

/// What the tools' own messages say; the first that is met.
const SAID: [(ErrorKind, &[&str]); 6] = [
    (ErrorKind::RateLimit, &["429", "too many", "rate limit"]),
    (
        ErrorKind::Refused,
        &[
            "401",
            "403",
            "private address",
            "not allowed",
            "approval",
            "refuse",
        ],
    ),
    (
        ErrorKind::NotFound,
        &["404", "410", "not found", "there is no", "no such"],
    ),
    (ErrorKind::Empty, &["no text", "nothing", "empty"]),
    (ErrorKind::Timeout, &["in time", "timed out", "too long"]),
    (
        ErrorKind::Network,
        &[
            "no answer",
            "does not answer",
            "broke off",
            "500",
            "502",
            "503",
            "504",
        ],
    ),
];

impl ErrorKind {
    /// The kind of an error.
    pub fn of(error: &ToolError) -> Self {
        match error {
            ToolError::Invalid { .. } | ToolError::Unknown { .. } => Self::Validation,
            ToolError::NoResult { .. } | ToolError::NoPage => Self::NotFound,
            ToolError::TimedOut { .. } => Self::Timeout,
            ToolError::NotApproved | ToolError::NotPermitted { .. } => Self::Refused,
            ToolError::Failed { message, .. } => Self::said(message),
            ToolError::NotVisible { .. }
            | ToolError::NoImageModel
            | ToolError::Skipped
            | ToolError::InVain { .. }
            | ToolError::OutcomeUnknown => Self::Other,
        }
    }

    fn said(message: &str) -> Self {
        let message = message.to_ascii_lowercase();
        let met = |(_, words): &&(Self, &[&str])| words.iter().any(|it| message.contains(it));
        SAID.iter().find(met).map_or(Self::Other, |(kind, _)| *kind)
    }

    /// As in `rate_limit`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Validation => "validation",
            Self::NotFound => "not_found",
            Self::Timeout => "timeout",
            Self::Network => "network",
            Self::RateLimit => "rate_limit",
            Self::Refused => "refused",
            Self::Empty => "empty",
            Self::Other => "other",
        }
    }

    /// What helps against it, as a person reads it: a message's key.
    pub(super) fn phrase(self) -> &'static str {
        match self {
            Self::Validation => "reflection_validation",
            Self::NotFound => "reflection_not_found",
            Self::Timeout => "reflection_timeout",
            Self::Network => "reflection_network",
            Self::RateLimit => "reflection_rate_limit",
            Self::Refused => "reflection_refused",
            Self::Empty => "reflection_empty",
            Self::Other => "reflection_other",
        }
    }

    /// The same as a model reads it.
    pub(super) fn advice(self) -> &'static str {
        match self {
            Self::Validation => "write the arguments as the tool's description says",
            Self::NotFound => "look for it elsewhere, or under another name",
            Self::Timeout => "ask for less at once",
            Self::Network => "use another source",
            Self::RateLimit => "go on without it, or ask once for all that is needed",
            Self::Refused => "use another way that is allowed",
            Self::Empty => "try other words, or another source",
            Self::Other => "try another way",
        }
    }
}
