//! Ids of tool calls in the form that Anthropic accepts.

use gloss_durable::sorted::{SortedMap, SortedSet};

/// Converts ids. Gloss's ids are unique within a step and may have any characters; Anthropic's must
/// be unique within a conversation and have a limited alphabet. Anthropic's own ids stay unchanged.
#[derive(Default)]
pub(super) struct Ids<'a> {
    given: SortedSet<String>,
    /// The converted ids of the last step.
    step: SortedMap<&'a str, String>,
}

impl<'a> Ids<'a> {
    /// Begins a step: forgets the ids of the one before.
    pub(super) fn step(&mut self) {
        self.step.clear();
    }

    /// Converts the id of a call.
    pub(super) fn made(&mut self, id: &'a str) -> String {
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

    /// The converted id of a result's call; `None` if the step has no such call.
    pub(super) fn answered(&self, id: &str) -> Option<&str> {
        self.step.get(id).map(String::as_str)
    }
}
