//! All that was said so far, with a digest that grows along.

use super::{Message, Part, Role};
use crate::durable::Fingerprint;
use std::rc::Rc;

/// A list of messages that knows its fingerprint: adding one costs the same at
/// step 500 as at step 1.
#[derive(Clone, Default)]
pub struct Transcript {
    messages: Vec<Rc<Message>>,
    digest: Fingerprint,
}

impl Transcript {
    /// Adds a message.
    pub fn push(&mut self, message: Message) {
        self.digest = self.digest.then_value(&message);
        self.messages.push(Rc::new(message));
    }

    /// The digest of all messages in order.
    pub fn digest(&self) -> &Fingerprint {
        &self.digest
    }

    /// The messages, oldest first.
    pub fn messages(&self) -> impl DoubleEndedIterator<Item = &Message> {
        self.messages.iter().map(Rc::as_ref)
    }

    /// What the person said, newest first.
    pub fn questions(&self) -> impl Iterator<Item = &str> {
        self.messages()
            .rev()
            .filter(|message| message.role == Role::User)
            .filter_map(|message| match message.parts.first() {
                Some(Part::Text { text }) => Some(text.as_str()),
                _ => None,
            })
    }
}
