//! A turn's charges, in its total and in the step that made them.

use super::Turn;
use gloss_agent::{CallCharge, Event, UsageSum};

impl Turn {
    /// What it used so far.
    pub fn spent(&self) -> UsageSum {
        self.usage.total()
    }

    /// Counts what an event charges.
    pub(super) fn charge(&mut self, event: &Event, at_ms: u64) {
        let Some(CallCharge {
            spent,
            // An abandoned call is of no step: nothing of it is seen there.
            is_abandoned: false,
            ..
        }) = self.usage.take(event)
        else {
            return;
        };
        self.attempt = 1;
        self.in_step(self.step, at_ms, |step| {
            let (tokens, cost) = (step.tokens, step.cost);
            let sum = UsageSum { tokens, cost }.plus(spent);
            (step.tokens, step.cost) = (sum.tokens, sum.cost);
        });
    }
}
