//! The effect of looking up what is known before the first step (DETAILS §5).

use super::{Memory, Room};
use futures::FutureExt;
use gloss_durable::{Call, Class, Effect, Fingerprint, Fut};
use std::rc::Rc;

/// Looks up what bears on a question. Done again it gives the same, and marks nothing twice:
/// harmless, and so `Safe`.
pub struct Recall {
    /// Where.
    pub memory: Rc<Memory>,
    /// Whether the person lets it be looked up, at this moment.
    pub is_on: Rc<dyn Fn() -> bool>,
    /// What is asked.
    pub question: String,
    /// What there is room for: what is not shown was not used.
    pub room: Room,
}

impl Effect for Recall {
    /// The facts in sentences, each with its id.
    type Outcome = Vec<String>;

    const KIND: &'static str = "recall";

    fn class(&self) -> Class {
        Class::Safe
    }

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&self.question)
    }

    fn perform(self, call: Call) -> Fut<Self::Outcome> {
        async move {
            if !(self.is_on)() {
                return Vec::new();
            }
            let act = call.key.to_string();
            let mut found = Vec::new();
            let mut look = |facts: &mut super::Facts, now_ms: u64| {
                found = facts.bearing_on(&self.question, self.room, &act, now_ms);
            };
            // Refused, the run goes on without: it is no worse than it was before there
            // was a memory.
            let _ = self.memory.change(&mut look).await;
            found
        }
        .boxed_local()
    }
}
