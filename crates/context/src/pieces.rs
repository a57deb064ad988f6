//! The pieces of a context. Each piece is a message with its kind and its cost.

use gloss_model::{Message, Part, Role, Source};
use gloss_text::tokens::estimate;
use serde_json::Value;
use std::rc::Rc;

/// A message and its kind, which decides how the message may shrink.
#[derive(Clone)]
pub(super) struct Piece {
    pub(super) what: MessageKind,
    pub(super) message: Rc<Message>,
    /// The cost of the message in tokens.
    pub(super) tokens: u32,
    /// The successful tool results in the message, in order.
    pub(super) gave: Vec<ResultSize>,
}

/// The id and the size of a tool result in a message.
#[derive(Clone)]
pub(super) struct ResultSize {
    pub(super) id: String,
    /// The cost of the result in tokens, in the form in which the model reads the result. The cost
    /// is stored, because it is needed before every model call.
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

/// The kind of a message, which decides how the message may shrink.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MessageKind {
    /// The message is not compacted. It is the system message or a message of the user.
    Fixed,
    /// The message belongs to the earlier turn with this number, and is dropped with that turn.
    Before(u32),
    /// The message is the summary of the old messages.
    InShort,
    /// The message belongs to the step with this number. When the step is folded, one line replaces
    /// all its messages.
    Step(u32),
}

impl Piece {
    /// Returns the results of the message, each with its index in the message's parts.
    pub(super) fn results(&self) -> impl Iterator<Item = (usize, &ResultSize)> {
        let parts = self.message.parts.iter().enumerate();
        let results = parts.filter(|(_, part)| super::is_result(part));
        results.map(|(place, _)| place).zip(&self.gave)
    }

    /// Creates the summary of the old messages. The summary is marked as quoted data, because it
    /// may repeat text of pages.
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

    /// Returns the text of the summary; empty for other kinds of messages.
    pub(super) fn words(&self) -> &str {
        match self.message.parts.as_slice() {
            [Part::Quoted { text, .. }] => text,
            _ => "",
        }
    }
}

/// Returns the cost of a message in tokens, as the transcript counts it.
pub fn cost(message: &Message) -> u32 {
    let mut alone = gloss_model::Transcript::default();
    alone.push(message.clone());
    alone.tokens()
}
