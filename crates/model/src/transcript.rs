//! The messages that a model is sent, with their fingerprint and an estimate of their tokens.

use super::{Message, Part, Role, Source};
use gloss_durable::{Fingerprint, json};
use gloss_text::tokens::estimate;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::rc::Rc;

/// A list of messages. The fingerprint and the token estimate are updated with each new message. A
/// new message at step 500 therefore takes as much time as at step 1.
#[derive(Clone, Default)]
pub struct Transcript {
    messages: Vec<Rc<Message>>,
    digest: Fingerprint,
    tokens: u32,
}

impl Transcript {
    /// Adds a message at the end.
    pub fn push(&mut self, message: impl Into<Rc<Message>>) {
        let message = message.into();
        // A message that can't be serialised counts as empty, as in any fingerprint.
        let json = json::text(&*message).unwrap_or_default();
        self.digest = self.digest.then(&json);
        self.tokens = self.tokens.saturating_add(estimate(&json));
        self.messages.push(message);
    }

    /// Returns the fingerprint of all messages in order.
    pub fn digest(&self) -> &Fingerprint {
        &self.digest
    }

    /// Returns the estimated tokens of all messages.
    pub fn tokens(&self) -> u32 {
        self.tokens
    }

    /// Returns the messages, oldest first.
    pub fn messages(&self) -> impl DoubleEndedIterator<Item = &Message> {
        self.messages.iter().map(Rc::as_ref)
    }

    /// Returns the user's questions, newest first.
    pub fn questions(&self) -> impl Iterator<Item = Question<'_>> {
        let of_person = |message: &&Message| message.role == Role::User;
        self.messages().rev().filter(of_person).filter_map(question)
    }
}

/// Serialises only the messages. Reading them computes the fingerprint and the estimate again.
impl Serialize for Transcript {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.messages.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Transcript {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut transcript = Self::default();
        for message in Vec::<Message>::deserialize(deserializer)? {
            transcript.push(message);
        }
        Ok(transcript)
    }
}

/// A question of the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question<'a> {
    /// The user wrote this question.
    Words(&'a str),
    /// The user asked for an explanation of this selection.
    Selection(&'a str),
}

/// Returns the question in a message. `None` if the message contains only text of the page.
fn question(message: &Message) -> Option<Question<'_>> {
    let selected = message.parts.iter().find_map(|part| match part {
        Part::Quoted {
            source: Source::Selection,
            text,
        } => Some(Question::Selection(text)),
        _ => None,
    });
    selected.or_else(|| match message.parts.first()? {
        Part::Text { text } => Some(Question::Words(text)),
        _ => None,
    })
}
