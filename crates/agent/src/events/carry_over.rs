//! The content that a run keeps when Gloss is updated during the run. The content is stored as the
//! numbers of the journal records that contain it.

use crate::events::Spent;
use serde::{Deserialize, Serialize};

/// The content and usage that a run passes to its continuation after an update.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CarryOver {
    /// The messages and calls, in order.
    #[serde(default)]
    pub(crate) pieces: Vec<CarriedEntry>,
    /// The names of tools whose calls have no known outcome: they may have been carried out.
    #[serde(default)]
    pub(crate) unknown: Vec<String>,
    /// The number of finished steps.
    pub(crate) steps: u8,
    pub(crate) spent: Spent,
    pub(crate) tool_calls: u32,
}

/// A part of the old transcript, as numbers of the records that contain it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CarriedEntry {
    /// A message that the user sent during the run.
    Asked {
        /// The number of the record with the message.
        arrived: u64,
    },
    /// A model's reply.
    Replied {
        /// The number of the record with the call's intent.
        intent: u64,
        /// The number of the record with the reply.
        outcome: u64,
    },
    /// The tool calls of a step, in order.
    Called {
        /// The calls. A retried call appears once.
        calls: Vec<CallRef>,
    },
}

/// A tool call that was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct CallRef {
    /// The number of the record with the call's intent.
    pub(crate) intent: u64,
    /// The number of the record with the call's outcome; `None` if it is unknown whether the call
    /// was carried out.
    pub(crate) outcome: Option<u64>,
    pub(crate) tries: u32,
}

impl CarryOver {
    pub(crate) fn into_pieces(self) -> Vec<CarriedEntry> {
        self.pieces
    }
}
