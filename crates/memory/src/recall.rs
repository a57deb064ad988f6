//! The effect that searches facts before a run's first step.

use super::{Memory, RecallLimits};
use futures::FutureExt;
use gloss_durable::{Call, Class, Effect, Fingerprint, Fut};
use gloss_model::provenance::Provenance;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// Searches the facts that relate to a question. A repeated search returns the same facts and
/// doesn't count their use again, so the class is `Safe`.
pub struct Recall {
    /// The store of facts.
    pub memory: Rc<Memory>,
    /// Returns true if the user currently allows runs to search facts.
    pub is_on: Rc<dyn Fn() -> bool>,
    /// The question of the user.
    pub question: String,
    /// The limits on the result. A fact that is left out because of them doesn't count as used.
    pub room: RecallLimits,
}

/// The facts that a run gets before its first step.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecalledFacts {
    /// The facts as sentences, each with its id.
    pub facts: Vec<String>,
    /// The origins of these facts.
    pub provenance: Provenance,
}

impl Effect for Recall {
    type Outcome = RecalledFacts;

    const KIND: &'static str = "recall";
    const CLASS: Class = Class::Safe;

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&self.question)
    }

    fn perform(self, call: Call) -> Fut<Self::Outcome> {
        async move {
            if !(self.is_on)() {
                return RecalledFacts::default();
            }
            let act = call.key.to_string();
            let mut found = RecalledFacts::default();
            let mut look = |facts: &mut super::Facts, now_ms: u64| {
                found = facts.facts_for_question(&self.question, self.room, &act, now_ms);
            };
            // If storage refuses, the run continues without facts.
            let _ = self.memory.change(&mut look).await;
            found
        }
        .boxed_local()
    }
}
