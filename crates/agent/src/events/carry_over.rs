//! What a run had gathered when the code changed under it, by the records that hold it.

use gloss_model::Micros;
use serde::{Deserialize, Serialize};

/// What was gathered.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Gathered {
    /// In the order in which it was said and done.
    #[serde(default)]
    pub(crate) pieces: Vec<Piece>,
    /// The tools of the calls that may have been carried out, which is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) unknown: Vec<String>,
    /// The steps that were finished.
    pub(crate) steps: u8,
    pub(crate) tokens: u32,
    #[serde(default)]
    pub(crate) cost: Micros,
    #[serde(default)]
    pub(crate) unpriced: bool,
    pub(crate) tool_calls: u32,
}

/// What stands before a model, by the records that it stands in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Piece {
    /// A message that the person sent meanwhile.
    Asked {
        /// Where it arrived.
        arrived: u64,
    },
    /// What a model replied.
    Replied {
        /// Where it was asked.
        intent: u64,
        /// Where its reply stands.
        outcome: u64,
    },
    /// Words of a reply that this code cannot read, as they were told of it.
    Said {
        /// The step, from 1.
        step: u8,
        /// The words.
        words: String,
    },
    /// The calls of a step, in their order.
    Called {
        /// Each once, whatever it took.
        calls: Vec<Called>,
    },
}

/// A call that was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Called {
    /// Where it was begun.
    pub(crate) intent: u64,
    /// Where what it gave stands; `None` if nobody knows whether it was carried out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) outcome: Option<u64>,
    /// How often it was made.
    pub(crate) tries: u32,
}

impl Gathered {
    /// What the run had used: tokens, and what they cost, if that is known.
    pub(crate) fn used(&self) -> (u32, Option<Micros>) {
        (self.tokens, (!self.unpriced).then_some(self.cost))
    }

    pub(crate) fn into_pieces(self) -> Vec<Piece> {
        self.pieces
    }
}
