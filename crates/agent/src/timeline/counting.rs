//! What a run has used so far, as its records tell it: the loop's count, and what that does not
//! have yet.
//!
//! Driving example: a search is stopped after its results were graded, and an image was made
//! beside it. The loop counts what calls asked of models once all calls of the step ended, which
//! the search never does; what the grading used stands in the outcome of its step, what the image
//! came to in that of its call or in the word of its end, and is counted from there. Where the
//! step ends after all, the loop's note of it tells nothing new. Deliberately absent: budgets, which go by what every
//! life counts alike; and calls that were given up ([`Event::CallAbandoned`]).

use crate::events::{Event, Spender};
use gloss_durable::Path;
use gloss_durable::sorted::SortedMap;
use gloss_markdown::clean;
use gloss_model::{Micros, Usage};
use gloss_tools::Aided;

/// The sums that were told.
pub(super) struct Counting {
    /// As the loop last noted them: tokens, and what they cost.
    noted: (u32, Option<Micros>),
    /// What is recorded of calls and not noted yet.
    ahead: Vec<(Spender, Aided)>,
    /// What was counted of each try, until the call ends: what ends has all of it once more.
    counted: SortedMap<Path, Vec<Aided>>,
}

impl Default for Counting {
    fn default() -> Self {
        Self {
            noted: (0, Some(0)),
            ahead: Vec::new(),
            counted: SortedMap::new(),
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

    /// A step of a try asked models.
    pub(super) fn asked(&mut self, a_try: &Path, tool: &str, aided: Vec<Aided>) -> Vec<Event> {
        let counted = self.counted.or_default(a_try.clone());
        counted.extend_from_slice(&aided);
        self.count(tool, aided)
    }

    /// A try ended, which asked for all of this: what none of its steps told is new.
    pub(super) fn tried(&mut self, a_try: &Path, tool: &str, aided: Vec<Aided>) -> Vec<Event> {
        let counted = self.counted.get(a_try).cloned().unwrap_or_default();
        self.asked(a_try, tool, without(aided, counted))
    }

    /// A call ended, whose tries asked for all of this: what none of them told is new.
    pub(super) fn called(&mut self, call: &Path, tool: &str, aided: Vec<Aided>) -> Vec<Event> {
        let mut counted = Vec::new();
        self.counted.retain(|a_try, of_it| {
            let is_other = a_try.parent() != *call;
            if !is_other {
                counted.append(of_it);
            }
            is_other
        });
        self.count(tool, without(aided, counted))
    }

    fn count(&mut self, tool: &str, aided: Vec<Aided>) -> Vec<Event> {
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
        self.counted.clear();
    }

    fn told(&self, by: Option<Spender>) -> Event {
        let ahead = || self.ahead.iter().map(|(_, aided)| aided);
        let tokens = ahead().map(|aided| tokens_of(aided.usage));
        let total = tokens.fold(self.noted.0, u32::saturating_add);
        let cost = ahead().fold(self.noted.1, |sum, aided| add(sum, aided.cost));
        Event::TokensUsed { total, cost, by }
    }
}

/// What is in all of it beyond what is known, each as often as it is.
fn without(all: Vec<Aided>, mut known: Vec<Aided>) -> Vec<Aided> {
    let is_new = |one: &Aided| match known.iter().position(|other| other == one) {
        Some(place) => {
            known.swap_remove(place);
            false
        }
        None => true,
    };
    let mut new = all;
    new.retain(is_new);
    new
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
