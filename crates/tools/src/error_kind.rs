//! The kinds of errors that tool calls can have: a closed list (DETAILS §5).

use serde::{Deserialize, Serialize};

/// The reason why a tool call failed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    /// The arguments were invalid.
    Validation,
    /// The requested page or object does not exist.
    NotFound,
    /// The time limit was exceeded.
    Timeout,
    /// The server did not respond, or the connection was lost.
    Network,
    /// The server received too many requests.
    RateLimit,
    /// The call is not allowed.
    Refused,
    /// The requested page or object has no content.
    Empty,
    /// Any other reason.
    #[default]
    Other,
}

impl ErrorKind {
    /// Returns the kind for an HTTP status of 400 and above.
    pub fn of_status(status: u16) -> Self {
        match status {
            404 | 410 => Self::NotFound,
            408 | 504 => Self::Timeout,
            429 => Self::RateLimit,
            400..=499 => Self::Refused,
            500..=599 => Self::Network,
            _ => Self::Other,
        }
    }

    /// Returns the kind's name in journals, as in `rate_limit`.
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

    /// Returns the key of the message with advice for the user.
    pub fn phrase(self) -> &'static str {
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

    /// Returns the advice for the model, in English.
    pub fn advice(self) -> &'static str {
        match self {
            Self::Validation => "write the arguments as the tool's description says",
            Self::NotFound => "look for it elsewhere, or under another name",
            Self::Timeout => "ask for less at once",
            Self::Network => "use another source",
            Self::RateLimit => "continue without it, or make one call for everything",
            Self::Refused => "use another way that is allowed",
            Self::Empty => "try other words, or another source",
            Self::Other => "try another way",
        }
    }
}
