//! Rights that only the user can give.

use super::{SendRequest, StandingApproval};
use gloss_host::TabId;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A right that a run or a tool needs from the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissingRight {
    /// The right to read the page in this tab.
    Site {
        /// The tab of the page.
        tab: TabId,
    },
    /// The right to connect to a model's server.
    Provider {
        /// The user's name for the server.
        name: String,
        /// The server's origin, as in `https://api.example`.
        origin: String,
    },
    /// The right to connect to the user's search provider.
    Search {
        /// The provider's name.
        name: String,
        /// The provider's origin, as in `https://api.example`.
        origin: String,
    },
    /// The right to take screenshots. Chrome grants it for all sites or not at all.
    Screenshot,
    /// The right to read pages of these sites.
    Pages {
        /// The sites' origins, each as in `https://news.example`.
        origins: Vec<String>,
    },
    /// The right to send something after untrusted text was read.
    Send(Box<SendRequest>),
    /// The right to save these facts after untrusted text was read.
    Memory(ProposedFacts),
    /// The right to repeat an interrupted call that may already have taken effect.
    Outcome {
        /// The tool's name.
        tool: String,
        /// The call's arguments, as JSON.
        arguments: String,
        /// The time at which the interrupted call was sent, in milliseconds since 1970.
        sent_at_ms: u64,
    },
}

/// The facts that the user is asked to save, exactly as they would be stored.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposedFacts {
    /// The facts, one sentence each.
    pub facts: Vec<String>,
    /// The texts of the known facts that would be replaced.
    #[serde(default)]
    pub replaces: Vec<String>,
    /// The indices in `facts` of the facts that would be stored without a time limit.
    #[serde(default)]
    pub core: Vec<usize>,
    /// Further words by which the facts could be found.
    #[serde(default)]
    pub keywords: Vec<String>,
}

impl MissingRight {
    /// Returns true if the user's answer about this right also answers a request for `other`.
    pub fn covers(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Pages { origins }, Self::Pages { origins: others }) => {
                others.iter().all(|origin| origins.contains(origin))
            }
            _ => self == other,
        }
    }

    /// Returns the standing approval that the user can give instead of this right.
    pub fn standing(&self) -> Option<&StandingApproval> {
        match self {
            Self::Send(request) => request.always.as_ref(),
            Self::Site { .. }
            | Self::Provider { .. }
            | Self::Search { .. }
            | Self::Screenshot
            | Self::Pages { .. }
            | Self::Memory(_)
            | Self::Outcome { .. } => None,
        }
    }
}

impl fmt::Display for MissingRight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Screenshot => f.write_str("take a picture of the tab"),
            Self::Site { .. } => f.write_str("read the page"),
            Self::Outcome { tool, .. } => write!(f, "call {tool} again"),
            Self::Provider { origin, .. } | Self::Search { origin, .. } => {
                write!(f, "connect to {origin}")
            }
            Self::Pages { origins } => write!(f, "read {}", origins.join(", ")),
            Self::Send(request) => write!(f, "send this to {}", request.to),
            Self::Memory(_) => f.write_str("remember this"),
        }
    }
}
