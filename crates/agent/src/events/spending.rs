//! The usage of tokens and money, and the user's limits for both.

use gloss_model::{Micros, Usage};
use serde::{Deserialize, Serialize};

/// The highest token limit that a user can set for a run.
pub const MOST_TOKENS: u32 = 1_000_000;

/// The highest cost limit that a user can set for a run, in US cents (DETAILS, Options).
pub const MOST_CENTS: u32 = 100;

/// A limit that causes a warning before the limit is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpendingLimit {
    /// The tokens of a run.
    Tokens {
        /// The limit, in tokens.
        most: u32,
    },
    /// The cost of all runs of a month.
    Month {
        /// The limit, in US dollars.
        most_dollars: u32,
    },
    /// The cost of a run.
    Cost {
        /// The limit, in US cents.
        most_cents: u32,
    },
}

impl SpendingLimit {
    /// Returns a path segment for the limit, such as `tokens.50000`. The segment contains the
    /// amount, because a fork with a higher limit may report the same kind of warning again.
    pub(crate) fn name(self) -> String {
        match self {
            Self::Tokens { most } => format!("tokens.{most}"),
            Self::Month { most_dollars } => format!("month.{most_dollars}"),
            Self::Cost { most_cents } => format!("cost.{most_cents}"),
        }
    }
}

/// A tool, and the model that it called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spender {
    /// The tool's name.
    pub tool: String,
    /// The model's name.
    pub model: String,
}

/// The usage of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Spent {
    /// Input and output tokens together.
    pub(crate) tokens: u32,
    /// The cost of the tokens whose price is known, in millionths of a dollar.
    pub(crate) cost: Micros,
    /// True if the price of some tokens is unknown.
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

    /// Returns the cost of all tokens; `None` if some price is unknown.
    pub(crate) fn known_cost(self) -> Option<Micros> {
        (!self.unpriced).then_some(self.cost)
    }
}
