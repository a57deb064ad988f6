//! What a turn used, calls that were given up included.

use super::Turn;
use crate::model::Micros;
use serde::{Deserialize, Serialize};

/// What calls of models came to that were given up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Abandoned {
    /// Of their prompts, by estimate.
    pub tokens: u32,
    /// What these cost; `None` where a price is not known.
    pub cost: Option<Micros>,
}

impl Default for Abandoned {
    fn default() -> Self {
        Self {
            tokens: 0,
            cost: Some(0),
        }
    }
}

impl Turn {
    /// The loop used so much so far.
    pub(super) fn spend(&mut self, total: u32, cost: Option<Micros>, at_ms: u64) {
        let total = total.saturating_add(self.abandoned.tokens);
        let cost = sum(cost, self.abandoned.cost);
        let used = total.saturating_sub(self.tokens);
        // Where a price is not known, neither is what the whole costs.
        let before = self.cost.unwrap_or_default();
        let spent = cost.map(|cost| cost.saturating_sub(before));
        self.tokens = total;
        self.cost = cost;
        self.attempt = 1;
        self.in_step(self.step, at_ms, |step| {
            step.tokens = step.tokens.saturating_add(used);
            step.cost = sum(step.cost, spent);
        });
    }

    /// What was asked of a model was given up. It is of no step: nothing of it is seen there.
    pub(super) fn abandon(&mut self, tokens: u32, cost: Option<Micros>) {
        self.tokens = self.tokens.saturating_add(tokens);
        self.cost = sum(self.cost, cost);
        let abandoned = &mut self.abandoned;
        abandoned.tokens = abandoned.tokens.saturating_add(tokens);
        abandoned.cost = sum(abandoned.cost, cost);
    }
}

/// Where one part is not known, neither is the sum.
fn sum(one: Option<Micros>, other: Option<Micros>) -> Option<Micros> {
    Some(one?.saturating_add(other?))
}
