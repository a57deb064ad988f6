//! What is used up: tokens and money, and the limits that the user sets for both.

use gloss_model::{Micros, Usage};
use serde::{Deserialize, Serialize};

/// The most tokens that a user may let one run use.
pub const MOST_TOKENS: u32 = 1_000_000;

/// The most that a user may let one run cost, in US cents (DETAILS, Options).
pub const MOST_CENTS: u32 = 100;

/// A limit that the user is warned of before it is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpendingLimit {
    /// This many tokens.
    Tokens {
        /// The most.
        most: u32,
    },
    /// This much money in a month, by all runs together.
    Month {
        /// The most, in US dollars.
        most_dollars: u32,
    },
    /// This much money.
    Cost {
        /// The most, in US cents.
        most_cents: u32,
    },
}

impl SpendingLimit {
    /// Unique among the limits of a run and of its forks.
    pub(crate) fn name(self) -> String {
        match self {
            Self::Tokens { most } => format!("tokens.{most}"),
            Self::Month { most_dollars } => format!("month.{most_dollars}"),
            Self::Cost { most_cents } => format!("cost.{most_cents}"),
        }
    }
}

/// A tool, and the model that it asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spender {
    /// The tool's name.
    pub tool: String,
    /// The model's.
    pub model: String,
}

/// What was used up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Spent {
    /// Read and written.
    pub(crate) tokens: u32,
    /// What that cost, as far as prices are known.
    pub(crate) cost: Micros,
    /// Some of it was spent at a price that is not known.
    pub(crate) unpriced: bool,
}

impl Spent {
    pub(crate) fn add(&mut self, usage: Usage, cost: Option<Micros>) {
        let used = usage.input_tokens.saturating_add(usage.output_tokens);
        self.tokens = self.tokens.saturating_add(used);
        match cost {
            Some(cost) => self.cost = self.cost.saturating_add(cost),
            None => self.unpriced |= used > 0,
        }
    }

    /// What all of it cost, if that is known.
    pub(crate) fn known_cost(self) -> Option<Micros> {
        (!self.unpriced).then_some(self.cost)
    }
}
