//! What a run has used up, and when that is enough (SPEC §11, §14; Property 15).
//!
//! Driving example: with a budget of 10 cents, a reply that brings the cost to 8.1 warns
//! once; before another call would leave less than a closing answer costs, the loop ends
//! with the best answer so far. Deliberately absent: calls that a kill abandoned, which
//! no life hears of; the trajectory charges them by estimate.

use super::desk::{Desk, Step};
use super::fitting::Fit;
use super::fork::Edit;
use super::{Bound, End, Event};
use crate::durable::Halt;
use crate::markdown::clean;
use crate::model::facts::MICROS_A_CENT;
use crate::model::{Micros, Price, Usage};
use crate::tools::Aided;
use serde::{Deserialize, Serialize};

/// Reserved for the closing answer at least: the response budget of a simple task (SPEC
/// §9). One that has more to read than that takes more.
const CLOSING_TOKENS: u32 = 4_000;

/// What a closing answer of ordinary length writes. By the most that it may write, a dear
/// model could say nothing at all within ten cents.
pub(super) const CLOSING_WRITES: u32 = 1_000;

/// The most tokens that a person may let one run use.
pub const MOST_TOKENS: u32 = 1_000_000;

/// The most that a person may let one run cost, in US cents (DETAILS, Options).
pub const MOST_CENTS: u32 = 100;

/// What a run may use up only so much of, and is warned of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Budget {
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
pub(super) struct Spent {
    /// Read and written.
    pub(super) tokens: u32,
    /// What that cost, as far as prices are known.
    pub(super) cost: Micros,
    /// Some of it was spent at a price that is not known.
    pub(super) unpriced: bool,
}

impl Spent {
    fn add(&mut self, usage: Usage, cost: Option<Micros>) {
        let used = usage.input_tokens.saturating_add(usage.output_tokens);
        self.tokens = self.tokens.saturating_add(used);
        match cost {
            Some(cost) => self.cost = self.cost.saturating_add(cost),
            None => self.unpriced |= used > 0,
        }
    }

    /// What all of it cost, if that is known.
    pub(super) fn known_cost(self) -> Option<Micros> {
        (!self.unpriced).then_some(self.cost)
    }
}

impl Desk {
    /// Counts what a call used up, and warns once where a budget runs low; false if it used
    /// nothing. `price` is that of the model that was asked.
    pub(super) fn spend(
        &mut self,
        step: &Step,
        segment: &str,
        usage: Usage,
        price: Option<Price>,
    ) -> Result<bool, Halt> {
        let cost = price.map(|price| price.of(usage));
        self.count(step, segment, usage, cost, None)
    }

    /// The same of what a tool asked of a model itself.
    pub(super) fn spend_on(
        &mut self,
        step: &Step,
        segment: &str,
        tool: &str,
        aided: &Aided,
    ) -> Result<bool, Halt> {
        let by = Spender {
            tool: clean(tool),
            model: aided.model.clone(),
        };
        self.count(step, segment, aided.usage, aided.cost, Some(by))
    }

    fn count(
        &mut self,
        step: &Step,
        segment: &str,
        usage: Usage,
        cost: Option<Micros>,
        by: Option<Spender>,
    ) -> Result<bool, Halt> {
        let before = self.spent;
        self.spent.add(usage, cost);
        // An image that nobody counted was not made for nothing: it has no cost, not none.
        self.spent.unpriced |= by.is_some() && cost.is_none();
        if self.spent == before {
            return Ok(false);
        }
        step.tell(
            &format!("{segment}.tokens"),
            &Event::TokensUsed {
                total: self.spent.tokens,
                cost: self.spent.known_cost(),
                by,
            },
        )?;
        let warn = self.brief.settings.warn_percent;
        let shares = self.shares(before).into_iter().zip(self.shares(self.spent));
        for ((budget, was), (_, is)) in shares {
            if was < warn && is >= warn {
                let (name, percent) = (budget.name(), is);
                let event = Event::BudgetNear { budget, percent };
                // A fork with more to spend has this of the run it was forked from.
                step.tell(&format!("{segment}.near.{name}"), &event)?;
            }
        }
        Ok(true)
    }

    /// How much of each budget that is, in percent.
    fn shares(&self, spent: Spent) -> [(Budget, u8); 2] {
        let settings = &self.brief.settings;
        let share = |used: u64, most: u64| {
            let percent = used.saturating_mul(100) / most.max(1);
            u8::try_from(percent).unwrap_or(u8::MAX)
        };
        let tokens = Budget::Tokens {
            most: settings.max_tokens,
        };
        let cost = Budget::Cost {
            most_cents: settings.max_cost_cents,
        };
        [
            (
                tokens,
                share(spent.tokens.into(), settings.max_tokens.into()),
            ),
            (cost, share(spent.cost, self.most_cost())),
        ]
    }

    pub(super) fn most_cost(&self) -> Micros {
        Micros::from(self.brief.settings.max_cost_cents) * MICROS_A_CENT
    }

    /// Why nothing but the closing answer is asked for: what stands before the model can't be
    /// made to fit, or a budget is used up.
    pub(super) fn exhausted(&self) -> Option<Bound> {
        match self.fit {
            Fit::Crowded(bound) => Some(bound),
            Fit::Fits => self.used_up(),
        }
    }

    /// The budget of which no more is left than the closing answer takes.
    pub(super) fn used_up(&self) -> Option<Bound> {
        let closing = self.closing();
        let reserved = closing.input_tokens.saturating_add(closing.output_tokens);
        let reserved = reserved.max(CLOSING_TOKENS);
        if self.spent.tokens.saturating_add(reserved) > self.brief.settings.max_tokens {
            return Some(Bound::Tokens);
        }
        let (spent, most) = (self.spent.cost, self.most_cost());
        let used_up = match self.answering.price.map(|price| price.of(closing)) {
            // What costs nothing goes on.
            Some(0) => false,
            Some(closing) => spent.saturating_add(closing) > most,
            None => spent >= most,
        };
        if used_up {
            return Some(Bound::Cost);
        }
        self.is_month_used_up().then_some(Bound::Month)
    }

    /// What the closing answer is expected to use at most.
    pub(super) fn closing(&self) -> Usage {
        Usage {
            input_tokens: self.context.tokens(),
            output_tokens: CLOSING_WRITES,
            ..Usage::default()
        }
    }

    /// Whether a budget was used up in the middle of a step, which ends there.
    pub(super) fn stops_short(&mut self, step: &Step) -> Result<bool, End> {
        let bound = self.exhausted();
        if let Some(bound) = bound {
            self.end_at(step, bound)?;
        }
        Ok(bound.is_some())
    }

    /// The loop ends at a bound.
    pub(super) fn end_at(&mut self, step: &Step, bound: Bound) -> Result<(), Halt> {
        let more = self.more(bound);
        step.tell("bound", &Event::BoundHit { bound, more })?;
        self.bound = Some(bound);
        Ok(())
    }

    /// Twice the budget that ran out, where that much may be set.
    fn more(&self, bound: Bound) -> Option<Edit> {
        let settings = self.brief.settings;
        let (tokens, cents) = (settings.max_tokens, settings.max_cost_cents);
        let (max_tokens, max_cost_cents) = match bound {
            Bound::Tokens => (tokens.saturating_mul(2).min(MOST_TOKENS), cents),
            Bound::Cost => (tokens, cents.saturating_mul(2).min(MOST_CENTS)),
            Bound::Steps
            | Bound::Time
            | Bound::ToolCalls
            | Bound::Context
            | Bound::Month
            | Bound::Stopped => return None,
        };
        let is_more = max_tokens > tokens || max_cost_cents > cents;
        is_more.then_some(Edit::Budget {
            max_tokens,
            max_cost_cents,
        })
    }
}

impl Budget {
    /// Unique among the budgets of a run and of its forks.
    pub(super) fn name(self) -> String {
        match self {
            Self::Tokens { most } => format!("tokens.{most}"),
            Self::Month { most_dollars } => format!("month.{most_dollars}"),
            Self::Cost { most_cents } => format!("cost.{most_cents}"),
        }
    }
}
