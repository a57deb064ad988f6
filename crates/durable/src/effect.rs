//! What a step may do to the world.

use super::{Fingerprint, Fut, Journal, Path, RunId};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

/// What an intent without an outcome means: the worker was killed between
/// doing and recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Do it again: model calls, searches, reading, pure work.
    Safe,
    /// Do it again under the same [`Key`]: our own stores, providers that take
    /// an idempotency key.
    Keyed,
    /// Never again unasked: [`super::Halt::Unknown`].
    External,
}

/// Something that a run asks of the world. One file per effect, in the layer
/// that knows it; ARCHITECTURE.md lists them all with their classes.
pub trait Effect {
    /// What comes of it, failure included: a tool that fails is an outcome.
    type Outcome: Serialize + DeserializeOwned + 'static;

    /// Its name in journals.
    const KIND: &'static str;

    /// What an intent without an outcome means.
    fn class(&self) -> Class;

    /// What it asks. Must not depend on time, chance or the attempt.
    fn fingerprint(&self) -> Fingerprint;

    /// What a reader of the journal (the timeline) should know before the outcome.
    fn label(&self) -> Value {
        Value::Null
    }

    /// Does it. Dropping the future cancels it.
    fn perform(self, call: Call) -> Fut<Self::Outcome>;
}

/// The idempotency key of an act: another one in every run, since paths of two
/// runs are alike, and the same in every life. A fork that copied an act's beginning
/// goes on under the key of the run that began it: it is the same act.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The run that acts, or the one that it was forked from.
    pub run: RunId,
    /// Where in it.
    pub path: Path,
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.run.0, self.path)
    }
}

/// The circumstances of one attempt.
#[derive(Clone)]
pub struct Call {
    /// The idempotency key of a [`Class::Keyed`] effect.
    pub key: Key,
    /// From 1.
    pub attempt: u32,
    /// Where streamed text goes.
    pub sink: Sink,
}

/// Takes the text that an effect streams: to the surfaces, not to the journal.
#[derive(Clone)]
pub struct Sink {
    pub(super) journal: Option<Rc<Journal>>,
    pub(super) intent: u64,
    pub(super) streamed: Rc<RefCell<String>>,
}

impl Sink {
    /// One that tells nobody: for what a tool asks a model, which is no part of the answer.
    pub fn nowhere() -> Self {
        Self {
            journal: None,
            intent: 0,
            streamed: Rc::default(),
        }
    }

    /// Text went on by `delta`.
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
