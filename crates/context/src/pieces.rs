//! The pieces that a context consists of.

use gloss_model::{Message, Part, Role, Source};
use gloss_text::tokens::estimate;
use serde_json::Value;
use std::rc::Rc;

/// A message and its kind, which decides how it may shrink.
#[derive(Clone)]
pub(super) struct Piece {
    pub(super) what: MessageKind,
    pub(super) message: Rc<Message>,
    /// The cost of the message, in tokens.
    pub(super) tokens: u32,
    /// The successful results in the message, in order.
    pub(super) gave: Vec<ResultSize>,
}

/// A result in a message.
#[derive(Clone)]
pub(super) struct ResultSize {
    pub(super) id: String,
    /// The cost of the result as it is shown, in tokens. Counted once, because every model call
    /// reads it.
    pub(super) tokens: u32,
}

impl ResultSize {
    pub(super) fn of(id: String, value: &Value) -> Self {
        Self {
            id,
            tokens: estimate(&value.to_string()),
        }
    }
}

/// The kind of a message, by the way it may shrink.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MessageKind {
    /// It never shrinks.
    Fixed,
    /// It belongs to this earlier turn and is dropped with it.
    Before(u32),
    /// It is the summary of everything old.
    InShort,
    /// It belongs to this step and is folded with it.
    Step(u32),
}

impl Piece {
    /// The results of the message, each with its index among the parts.
    pub(super) fn results(&self) -> impl Iterator<Item = (usize, &ResultSize)> {
        let parts = self.message.parts.iter().enumerate();
        let results = parts.filter(|(_, part)| super::is_result(part));
        results.map(|(place, _)| place).zip(&self.gave)
    }

    /// The summary of everything old. It is quoted as data, because a model wrote it and it may
    /// repeat text of pages.
    pub(super) fn in_short(words: String) -> Self {
        let message = Message {
            role: Role::User,
            parts: vec![Part::Quoted {
                source: Source::Earlier,
                text: words,
            }],
        };
        Self {
            what: MessageKind::InShort,
            tokens: cost(&message),
            message: Rc::new(message),
            gave: Vec::new(),
        }
    }

    /// The text of the summary.
    pub(super) fn words(&self) -> &str {
        match self.message.parts.as_slice() {
            [Part::Quoted { text, .. }] => text,
            _ => "",
        }
    }
}

/// The cost of a message in tokens, counted as a transcript counts it.
pub fn cost(message: &Message) -> u32 {
    let mut alone = gloss_model::Transcript::default();
    alone.push(message.clone());
    alone.tokens()
}
