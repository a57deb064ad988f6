//! Ids of tool calls in the form that Anthropic accepts.

use gloss_durable::sorted::{SortedMap, SortedSet};

/// Converts the ids of tool calls. Gloss's ids are unique within a step and may contain any
/// characters. Anthropic's ids must be unique within a conversation and consist of letters, digits,
/// `_` and `-`. Ids that Anthropic made stay unchanged.
#[derive(Default)]
pub(super) struct Ids<'a> {
    given: SortedSet<String>,
    /// The converted ids of the current step. The keys are Gloss's ids.
    step: SortedMap<&'a str, String>,
}

impl<'a> Ids<'a> {
    /// Begins a step, and forgets the ids of the previous step.
    pub(super) fn step(&mut self) {
        self.step.clear();
    }

    pub(super) fn convert(&mut self, id: &'a str) -> String {
        let letter = |it: char| {
            let fits = it.is_ascii_alphanumeric() || it == '_' || it == '-';
            if fits { it } else { '_' }
        };
        let plain: String = id.chars().map(letter).collect();
        let mut own = plain.clone();
        for number in 2_u32.. {
            if !own.is_empty() && self.given.insert(own.clone()) {
                break;
            }
            own = format!("{plain}_{number}");
        }
        self.step.insert(id, own.clone());
        own
    }

    /// Returns the converted id of the call to which a result belongs. `None` if the step has no
    /// call with this id.
    pub(super) fn answered(&self, id: &str) -> Option<&str> {
        self.step.get(id).map(String::as_str)
    }
}
