//! The tokens and the money that a run used, added up from the run's events.
//!
//! Example: the worker dies during a model call. The tokens of the call's prompt are
//! estimated and charged ([`Event::CallAbandoned`]). The call is made again, and its reply is
//! counted ([`Event::TokensUsed`]). The turn, the usage page and the trajectory all show the sums
//! of these charges. The limits of a run use another count, which is the same after every replay.
//! [`gloss_model::UsageLedger`] contains the month's sum.

use super::events::{Event, Spender};
use gloss_model::Micros;
use serde::{Deserialize, Serialize};

/// Tokens that models read and wrote, with their cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsageSum {
    /// The tokens read and written.
    pub tokens: u32,
    /// The cost in millionths of a US dollar; `None` if a price is not known.
    pub cost: Option<Micros>,
}

impl UsageSum {
    /// Returns the sum of the two usages. Its cost is known only if both costs are known.
    #[must_use]
    pub fn with(self, more: Self) -> Self {
        let costs = self.cost.zip(more.cost);
        Self {
            tokens: self.tokens.saturating_add(more.tokens),
            cost: costs.map(|(one, other)| one.saturating_add(other)),
        }
    }

    fn since(self, before: Self) -> Self {
        let costs = self.cost.zip(before.cost);
        Self {
            tokens: self.tokens.saturating_sub(before.tokens),
            cost: costs.map(|(now, before)| now.saturating_sub(before)),
        }
    }
}

impl Default for UsageSum {
    fn default() -> Self {
        Self {
            tokens: 0,
            cost: Some(0),
        }
    }
}

/// The charges of a run so far.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunUsage {
    /// The usage of calls that ended.
    pub counted: UsageSum,
    /// The estimated tokens of the prompts whose calls were abandoned, because the worker died or
    /// the run was stopped.
    pub abandoned: UsageSum,
}

/// The charge of one call.
#[derive(Debug)]
pub struct CallCharge<'a> {
    /// The tokens and cost that the call adds.
    pub spent: UsageSum,
    /// The tool that called the model, and the model; `None` for a call of the run's loop.
    pub by: Option<&'a Spender>,
    /// True if the call was abandoned.
    pub is_abandoned: bool,
}

impl RunUsage {
    /// Adds an event, and returns the charge in the event, if any.
    pub fn take<'e>(&mut self, event: &'e Event) -> Option<CallCharge<'e>> {
        match event {
            Event::TokensUsed { total, cost, by } => {
                let (tokens, cost) = (*total, *cost);
                let before = std::mem::replace(&mut self.counted, UsageSum { tokens, cost });
                Some(CallCharge {
                    spent: self.counted.since(before),
                    by: by.as_ref(),
                    is_abandoned: false,
                })
            }
            Event::CallAbandoned { tokens, cost, by } => {
                let (tokens, cost) = (*tokens, *cost);
                let spent = UsageSum { tokens, cost };
                self.abandoned = self.abandoned.with(spent);
                Some(CallCharge {
                    spent,
                    by: by.as_ref(),
                    is_abandoned: true,
                })
            }
            _ => None,
        }
    }

    /// Returns the sum of all calls, including abandoned ones.
    pub fn total(&self) -> UsageSum {
        self.counted.with(self.abandoned)
    }
}
