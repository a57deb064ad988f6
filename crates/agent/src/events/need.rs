//! What a run waits for the person with.
//!
//! Driving example: [`Need::Provider`] stands as "Permission needed" in every
//! surface until a [`Verdict`] arrives for its [`Wait`].

use gloss_durable::Message;
use gloss_host::TabId;
use gloss_model::Micros;
use gloss_tools::{Right, Unsaid};
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
    /// To have an image made, where text was read that nobody vouches for.
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

impl Need {
    /// What a tool can't do without.
    pub(crate) fn of_tool(right: Right) -> Self {
        match right {
            Right::Screenshot => Self::Screenshot,
            Right::Server { name, origin } => Self::Provider { name, origin },
            Right::Search { name, origin } => Self::Search { name, origin },
            Right::Pages { origins } => Self::Pages { origins },
            Right::Memory(unsaid) => Self::Memory(unsaid),
            Right::Image {
                description,
                by,
                cost,
            } => Self::Image {
                description,
                by,
                cost,
            },
        }
    }
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

impl Message for Verdict {
    const NAME: &'static str = "verdict";
}
