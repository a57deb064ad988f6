//! Ids of calls as Anthropic takes them.

use gloss_durable::sorted::{SortedMap, SortedSet};

/// Ours are unique within their step, and of any letters; its are unique within a
/// conversation, and of few. Its own come out as they are.
#[derive(Default)]
pub(super) struct Ids<'a> {
    given: SortedSet<String>,
    /// Of the last step.
    step: SortedMap<&'a str, String>,
}

impl<'a> Ids<'a> {
    /// Forgets the step before.
    pub(super) fn step(&mut self) {
        self.step.clear();
    }

    /// The id of a call that is made.
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

    /// The id of a call that gave something; `None` of one that was not made in the step.
    pub(super) fn answered(&self, id: &str) -> Option<&str> {
        self.step.get(id).map(String::as_str)
    }
}
