//! Effects: the actions of a step on the outside world.

use super::{Fingerprint, Fut, Journal, Path, RunId};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

/// The class of an effect: it decides what an intent without an outcome means, which is what a
/// worker leaves behind that is killed between performing and recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// The effect is repeated: model calls, searches, reading, pure computation.
    Safe,
    /// The effect is repeated under the same [`Key`]: our own stores, providers that accept an
    /// idempotency key.
    Keyed,
    /// The effect is never repeated without asking the user: [`super::Halt::Unknown`].
    External,
}

/// An action of a run on the outside world. Each effect has a file in the layer that knows it;
/// `docs/effects.md` lists all effects with their classes.
pub trait Effect {
    /// The result, failures included: a tool that fails is an outcome.
    type Outcome: Serialize + DeserializeOwned + 'static;

    /// The effect's name in journals.
    const KIND: &'static str;

    /// The meaning of an intent without an outcome.
    fn class(&self) -> Class;

    /// The fingerprint of the request. It must not depend on time, randomness or the attempt.
    fn fingerprint(&self) -> Fingerprint;

    /// The data that readers of the journal, such as the timeline, need before the outcome.
    fn label(&self) -> Value {
        Value::Null
    }

    /// Performs the effect. Dropping the future cancels it.
    fn perform(self, call: Call) -> Fut<Self::Outcome>;
}

/// The idempotency key of an action. It differs between runs, whose paths are similar, and is the
/// same in every life. A fork that copied the intent of an action repeats it under the key of the
/// original run, because it is the same action.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The run that performs the action, or the run in which it began before a fork.
    pub run: RunId,
    /// The path of the action in that run.
    pub path: Path,
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.run.0, self.path)
    }
}

/// The data of one attempt at an effect.
#[derive(Clone)]
pub struct Call {
    /// The idempotency key, for effects of class [`Class::Keyed`].
    pub key: Key,
    /// The number of the attempt, from 1.
    pub attempt: u32,
    /// The receiver of streamed text.
    pub sink: Sink,
}

/// The receiver of the text that an effect streams. Text goes to the surfaces, not to the journal.
#[derive(Clone)]
pub struct Sink {
    pub(super) journal: Option<Rc<Journal>>,
    pub(super) intent: u64,
    pub(super) streamed: Rc<RefCell<String>>,
}

impl Sink {
    /// A sink that discards text: for a tool's own model calls, which are not part of the answer.
    pub fn nowhere() -> Self {
        Self {
            journal: None,
            intent: 0,
            streamed: Rc::default(),
        }
    }

    /// Appends `delta` to the streamed text.
    pub fn text(&self, delta: &str) {
        let offset = {
            let mut streamed = self.streamed.borrow_mut();
            let offset = streamed.len();
            streamed.push_str(delta);
            offset
        };
        if let Some(journal) = &self.journal {
            journal.tell_delta(self.intent, offset, delta);
        }
    }
}
