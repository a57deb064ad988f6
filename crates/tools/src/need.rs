//! What only the person can give.

use gloss_host::TabId;
use gloss_model::Micros;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a run, or a tool of it, needs the person's word for.
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
        /// What the person calls it.
        name: String,
        /// As in `https://api.example`.
        origin: String,
    },
    /// To speak to the server that the person searches with.
    Search {
        /// Its name.
        name: String,
        /// As in `https://api.example`.
        origin: String,
    },
    /// To take pictures of pages: Chrome gives that for all sites or not at all.
    Screenshot,
    /// To read pages of these sites.
    Pages {
        /// Each as in `https://news.example`.
        origins: Vec<String>,
    },
    /// To have an image made, where text was read that nobody vouches for: it costs money, and
    /// its description leaves the device.
    Image {
        /// All that is sent.
        description: String,
        /// Who makes it: what the person calls the server, and the model.
        by: String,
        /// What that is expected to cost, in millionths of a dollar; `None` where it is not
        /// known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cost: Option<Micros>,
    },
    /// To have facts remembered, where text of others was read.
    Memory(Unsaid),
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

/// Facts that wait for the person's word, all of it as it would be kept.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unsaid {
    /// Each in a sentence.
    pub facts: Vec<String>,
    /// The known facts that they would replace.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaces: Vec<String>,
    /// Which of them would be kept for ever, by their place from 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub core: Vec<usize>,
    /// Other words that they would be found by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<String>,
}

impl Need {
    /// Whether an answer about it is one about another, too.
    pub fn covers(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Pages { origins }, Self::Pages { origins: others }) => {
                others.iter().all(|origin| origins.contains(origin))
            }
            _ => self == other,
        }
    }
}

impl fmt::Display for Need {
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
