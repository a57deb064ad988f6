//! Adds up the cost of a turn and of each of its steps.

use super::Turn;
use gloss_agent::{CallCharge, Event, UsageSum};

impl Turn {
    /// Returns the tokens and the cost of the turn so far.
    pub fn spent(&self) -> UsageSum {
        self.usage.total()
    }

    /// Adds the cost of an event to the turn and to the step that caused it.
    pub(super) fn charge(&mut self, event: &Event, at_ms: u64) {
        let Some(CallCharge {
            spent,
            // An abandoned call belongs to no step.
            is_abandoned: false,
            ..
        }) = self.usage.take(event)
        else {
            return;
        };
        self.attempt = 1;
        self.in_step(self.step, at_ms, |step| {
            let (tokens, cost) = (step.tokens, step.cost);
            let sum = UsageSum { tokens, cost }.with(spent);
            (step.tokens, step.cost) = (sum.tokens, sum.cost);
        });
    }
}
