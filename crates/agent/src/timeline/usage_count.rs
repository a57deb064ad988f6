//! Adds up the tokens that a run has used so far: the tokens that the loop has counted, and the
//! model calls that the loop has not counted yet.
//!
//! Example: one step makes a search and an image. A model grades the search results, and
//! then the user stops the run. The loop counts a tool's model calls only after all calls of the
//! step, and the search never ends. Therefore this module counts the grading when the grading's
//! outcome is recorded, and the image when its call ends. If the loop counts the same model calls
//! later, nothing is added. The limits of a run use another count, because they need a count that
//! is the same after a replay. Abandoned calls have their own event ([`Event::CallAbandoned`]).

use crate::events::{Event, Spender};
use gloss_durable::Path;
use gloss_durable::sorted::SortedMap;
use gloss_markdown::clean;
use gloss_model::{Micros, Usage};
use gloss_tools::RoleCall;

/// The sums that the events have reported.
pub(super) struct UsageCount {
    /// The loop's last count: tokens, and their cost.
    noted: (u32, Option<Micros>),
    /// Recorded model calls of tools that the loop has not counted yet.
    ahead: Vec<(Spender, RoleCall)>,
    /// The model calls counted for each try. They stay here until the tool call ends, because the
    /// record of the call's end lists the same model calls again.
    counted: SortedMap<Path, Vec<RoleCall>>,
}

impl Default for UsageCount {
    fn default() -> Self {
        Self {
            noted: (0, Some(0)),
            ahead: Vec::new(),
            counted: SortedMap::new(),
        }
    }
}

impl UsageCount {
    /// Adds the loop's count. Returns `None` if an event has reported these tokens before.
    pub(super) fn count_note(
        &mut self,
        tokens: u32,
        cost: Option<Micros>,
        by: Option<Spender>,
    ) -> Option<Event> {
        let used = tokens.saturating_sub(self.noted.0);
        self.noted = (tokens, cost);
        let same = |(spender, role_calls): &(Spender, RoleCall)| {
            Some(spender) == by.as_ref() && tokens_of(role_calls.usage) == used
        };
        if let Some(place) = self.ahead.iter().position(same) {
            self.ahead.remove(place);
            return None;
        }
        Some(self.usage_event(by))
    }

    /// Counts the model calls of one step of a try.
    pub(super) fn count_step(
        &mut self,
        a_try: &Path,
        tool: &str,
        role_calls: Vec<RoleCall>,
    ) -> Vec<Event> {
        let counted = self.counted.or_default(a_try.clone());
        counted.extend_from_slice(&role_calls);
        self.count(tool, role_calls)
    }

    /// Counts the model calls of a try that ended, except those that the try's steps reported.
    pub(super) fn count_try(
        &mut self,
        a_try: &Path,
        tool: &str,
        role_calls: Vec<RoleCall>,
    ) -> Vec<Event> {
        let counted = self.counted.get(a_try).cloned().unwrap_or_default();
        self.count_step(a_try, tool, without(role_calls, counted))
    }

    /// Counts the model calls of a tool call that ended, except those that the call's tries
    /// reported.
    pub(super) fn count_call(
        &mut self,
        call: &Path,
        tool: &str,
        role_calls: Vec<RoleCall>,
    ) -> Vec<Event> {
        let mut counted = Vec::new();
        self.counted.retain(|a_try, of_it| {
            let is_other = a_try.parent() != *call;
            if !is_other {
                counted.append(of_it);
            }
            is_other
        });
        self.count(tool, without(role_calls, counted))
    }

    fn count(&mut self, tool: &str, role_calls: Vec<RoleCall>) -> Vec<Event> {
        let mut events = Vec::new();
        for role_calls in role_calls {
            if tokens_of(role_calls.usage) == 0 && role_calls.cost == Some(0) {
                continue;
            }
            let by = spender(tool, &role_calls);
            self.ahead.push((by.clone(), role_calls));
            events.push(self.usage_event(Some(by)));
        }
        events
    }

    /// Sets the counts to the usage that a run had before an update of Gloss.
    pub(super) fn reset(&mut self, tokens: u32, cost: Option<Micros>) {
        self.noted = (tokens, cost);
        self.ahead.clear();
        self.counted.clear();
    }

    fn usage_event(&self, by: Option<Spender>) -> Event {
        let ahead = || self.ahead.iter().map(|(_, role_calls)| role_calls);
        let tokens = ahead().map(|role_calls| tokens_of(role_calls.usage));
        let total = tokens.fold(self.noted.0, u32::saturating_add);
        let cost = ahead().fold(self.noted.1, |sum, role_calls| add(sum, role_calls.cost));
        Event::TokensUsed { total, cost, by }
    }
}

/// Returns the elements of `all` without those of `known`. Each element of `known` removes one
/// equal element: `[a, a]` without `[a]` is `[a]`.
fn without(all: Vec<RoleCall>, mut known: Vec<RoleCall>) -> Vec<RoleCall> {
    let is_new = |one: &RoleCall| match known.iter().position(|other| other == one) {
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

/// Adds two costs. The sum is unknown if one of the costs is unknown.
fn add(sum: Option<Micros>, more: Option<Micros>) -> Option<Micros> {
    Some(sum?.saturating_add(more?))
}

/// Returns the tool with the model that it called.
pub(super) fn spender(tool: &str, role_calls: &RoleCall) -> Spender {
    Spender {
        tool: clean(tool),
        model: role_calls.model.clone(),
    }
}

/// Returns the sum of tokens read and written.
pub(super) fn tokens_of(usage: Usage) -> u32 {
    usage.input_tokens.saturating_add(usage.output_tokens)
}
