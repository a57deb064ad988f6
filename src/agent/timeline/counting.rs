//! What a run has used so far, as its records tell it: the loop's count, and what that does not
//! have yet.
//!
//! Driving example: a search is stopped after its results were graded. The loop counts what a
//! call asked of models when the call ends, which this one never does; what the grading used
//! stands in the outcome of its step, and is counted from there. Where the call ends after all,
//! the loop's note of it tells nothing new. Deliberately absent: budgets, which go by what every
//! life counts alike; and calls that were given up ([`Event::CallAbandoned`]).

use crate::agent::Event;
use crate::agent::spending::Spender;
use crate::markdown::clean;
use crate::model::{Micros, Usage};
use crate::tools::Aided;

/// The sums that were told.
pub(super) struct Counting {
    /// As the loop last noted them: tokens, and what they cost.
    noted: (u32, Option<Micros>),
    /// What is recorded of calls in steps and not noted yet.
    ahead: Vec<(Spender, Aided)>,
}

impl Default for Counting {
    fn default() -> Self {
        Self {
            noted: (0, Some(0)),
            ahead: Vec::new(),
        }
    }
}

impl Counting {
    /// The loop noted what it used; nothing where that was told when its step ended.
    pub(super) fn noted(
        &mut self,
        tokens: u32,
        cost: Option<Micros>,
        by: Option<Spender>,
    ) -> Option<Event> {
        let used = tokens.saturating_sub(self.noted.0);
        self.noted = (tokens, cost);
        let same = |(spender, aided): &(Spender, Aided)| {
            Some(spender) == by.as_ref() && tokens_of(aided.usage) == used
        };
        if let Some(place) = self.ahead.iter().position(same) {
            self.ahead.remove(place);
            return None;
        }
        Some(self.told(by))
    }

    /// A step of a call asked models.
    pub(super) fn asked(&mut self, tool: &str, aided: Vec<Aided>) -> Vec<Event> {
        let mut events = Vec::new();
        for aided in aided {
            if tokens_of(aided.usage) == 0 && aided.cost == Some(0) {
                continue;
            }
            let by = spender(tool, &aided);
            self.ahead.push((by.clone(), aided));
            events.push(self.told(Some(by)));
        }
        events
    }

    /// The run goes on afresh with what it had used.
    pub(super) fn renewed(&mut self, tokens: u32, cost: Option<Micros>) {
        self.noted = (tokens, cost);
        self.ahead.clear();
    }

    fn told(&self, by: Option<Spender>) -> Event {
        let ahead = || self.ahead.iter().map(|(_, aided)| aided);
        let tokens = ahead().map(|aided| tokens_of(aided.usage));
        let total = tokens.fold(self.noted.0, u32::saturating_add);
        let cost = ahead().fold(self.noted.1, |sum, aided| add(sum, aided.cost));
        Event::TokensUsed { total, cost, by }
    }
}

/// Where one part is not known, neither is the sum.
fn add(sum: Option<Micros>, more: Option<Micros>) -> Option<Micros> {
    Some(sum?.saturating_add(more?))
}

/// A tool, and whom it asked.
pub(super) fn spender(tool: &str, aided: &Aided) -> Spender {
    Spender {
        tool: clean(tool),
        model: aided.model.clone(),
    }
}

/// Read and written.
pub(super) fn tokens_of(usage: Usage) -> u32 {
    usage.input_tokens.saturating_add(usage.output_tokens)
}
