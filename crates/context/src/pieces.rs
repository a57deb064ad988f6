//! What a context is made of.

use gloss_model::{Message, Part, Role, Source};
use gloss_text::tokens::estimate;
use serde_json::Value;
use std::rc::Rc;

/// A message, and how it may shrink.
#[derive(Clone)]
pub(super) struct Piece {
    pub(super) what: What,
    pub(super) message: Rc<Message>,
    /// What it costs.
    pub(super) tokens: u32,
    /// Its results, in their order; none of calls that failed.
    pub(super) gave: Vec<Gave>,
}

/// A result in a message.
#[derive(Clone)]
pub(super) struct Gave {
    pub(super) id: String,
    /// What it costs as it stands, counted once: it is asked for before each call.
    pub(super) tokens: u32,
}

impl Gave {
    pub(super) fn of(id: String, value: &Value) -> Self {
        Self {
            id,
            tokens: estimate(&value.to_string()),
        }
    }
}

/// How a message may shrink.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// Not at all.
    Fixed,
    /// With its turn, of those before this one.
    Before(u32),
    /// It is short already: what stands for all that is old.
    InShort,
    /// With its step.
    Step(u32),
}

impl Piece {
    /// Its results, each with its place among the parts.
    pub(super) fn results(&self) -> impl Iterator<Item = (usize, &Gave)> {
        let parts = self.message.parts.iter().enumerate();
        let results = parts.filter(|(_, part)| super::is_result(part));
        results.map(|(place, _)| place).zip(&self.gave)
    }

    /// What is old, in these words. They are a model's and may be of pages: data.
    pub(super) fn in_short(words: String) -> Self {
        let message = Message {
            role: Role::User,
            parts: vec![Part::Quoted {
                source: Source::Earlier,
                text: words,
            }],
        };
        Self {
            what: What::InShort,
            tokens: cost(&message),
            message: Rc::new(message),
            gave: Vec::new(),
        }
    }

    /// The words of what is in short.
    pub(super) fn words(&self) -> &str {
        match self.message.parts.as_slice() {
            [Part::Quoted { text, .. }] => text,
            _ => "",
        }
    }
}

/// What a message costs, as a transcript counts it.
pub fn cost(message: &Message) -> u32 {
    let mut alone = gloss_model::Transcript::default();
    alone.push(message.clone());
    alone.tokens()
}
