//! Rights that only the user can give.

use gloss_host::TabId;
use gloss_model::Micros;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A right that a run, or one of its tools, needs from the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissingRight {
    /// To read the page in this tab.
    Site {
        /// The tab of the page.
        tab: TabId,
    },
    /// To connect to a model's server.
    Provider {
        /// The user's name for the server.
        name: String,
        /// The server's origin, as in `https://api.example`.
        origin: String,
    },
    /// To connect to the user's search provider.
    Search {
        /// The provider's name.
        name: String,
        /// The provider's origin, as in `https://api.example`.
        origin: String,
    },
    /// To take screenshots. Chrome grants that for all sites or not at all.
    Screenshot,
    /// To read pages of these sites.
    Pages {
        /// The sites' origins, each as in `https://news.example`.
        origins: Vec<String>,
    },
    /// To make an image after untrusted text was read: it costs money, and its description leaves
    /// the device.
    Image {
        /// The whole text that is sent.
        description: String,
        /// The user's name for the server, and the model.
        by: String,
        /// The expected cost, in millionths of a dollar; `None` if the price is not known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cost: Option<Micros>,
    },
    /// To save facts after untrusted text was read.
    Memory(ProposedFacts),
    /// To repeat an interrupted call that may already have taken effect.
    Outcome {
        /// The tool's name.
        tool: String,
        /// The call's arguments, as JSON.
        arguments: String,
        /// The time at which it was sent, in milliseconds since 1970.
        sent_at_ms: u64,
    },
}

/// Facts that wait for the user's consent, exactly as they would be stored.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposedFacts {
    /// The facts, a sentence each.
    pub facts: Vec<String>,
    /// The known facts that they would replace.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaces: Vec<String>,
    /// The indices of the facts that would be kept forever.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub core: Vec<usize>,
    /// Other words by which they could be found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<String>,
}

impl MissingRight {
    /// Returns true if the user's answer to this need also answers `other`.
    pub fn covers(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Pages { origins }, Self::Pages { origins: others }) => {
                others.iter().all(|origin| origins.contains(origin))
            }
            _ => self == other,
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
            Self::Image { .. } => f.write_str("have this image made"),
            Self::Memory(_) => f.write_str("remember this"),
        }
    }
}
