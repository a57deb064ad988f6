//! Effects: the actions of a step on the outside world.

use super::{Fingerprint, Fut, Journal, Path, RunId};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

/// The class of an effect. The worker may be killed after an effect began and before its outcome
/// was recorded. In that case, the class decides whether the next worker may repeat the effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// The effect may be repeated: model calls, searches, reading, pure computation.
    Safe,
    /// The effect may be repeated under the same [`Key`]: writes to Gloss's own stores, and
    /// requests to providers that accept an idempotency key.
    Keyed,
    /// The effect is never repeated without asking the user. If a worker was killed during the
    /// effect, the run halts with [`super::Halt::Unknown`].
    External,
}

/// An action of a run on the outside world. `docs/effects.md` lists all effects with their classes.
pub trait Effect {
    /// The result of the effect. A failure is a result too: the error of a tool is an outcome.
    type Outcome: Serialize + DeserializeOwned + 'static;

    /// The effect's name in journals.
    const KIND: &'static str;

    /// The class of the effect, which decides if it may be repeated.
    const CLASS: Class;

    /// The class of this request. It differs from [`Self::CLASS`] only if it depends on the
    /// request.
    fn class(&self) -> Class {
        Self::CLASS
    }

    /// Returns the fingerprint of the request. It must not depend on time, randomness or the number
    /// of the attempt.
    fn fingerprint(&self) -> Fingerprint;

    /// Returns data about the effect for readers of the journal, such as the timeline. The data is
    /// recorded before the effect is performed.
    fn label(&self) -> Value {
        Value::Null
    }

    /// Performs the effect. Dropping the future cancels it.
    fn perform(self, call: Call) -> Fut<Self::Outcome>;
}

/// The idempotency key of an action. The key contains the run, because two runs may use the same
/// path. All lives of a run use the same key for the action. If a fork copied an action without its
/// outcome, the fork repeats the action under the key of the original run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The run that performs the action. If a fork copied the beginning of the action, `run` is the
    /// original run.
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
    /// The receiver of the text that the effect streams.
    pub sink: Sink,
}

/// The receiver of the text that an effect streams. The text is sent to the surfaces and is not
/// recorded.
#[derive(Clone)]
pub struct Sink {
    pub(super) journal: Option<Rc<Journal>>,
    pub(super) intent: u64,
    pub(super) streamed: Rc<RefCell<String>>,
}

impl Sink {
    /// Returns a sink that discards text. A tool uses such a sink for its own model calls, because
    /// the text of these calls is not part of the answer.
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
