//! What the core says to a person: a message's key and its arguments, never prose.
//!
//! Pages resolve a [`Phrase`] through `chrome.i18n`, so that one run reads in
//! whatever language its surface has. `cargo xtask tidy` checks that every key
//! stands in `_locales`.

use serde::{Deserialize, Serialize};

/// A message of `_locales` with the values of its placeholders, in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phrase {
    /// The message's key in `_locales/*/messages.json`.
    pub key: String,
    /// `$1`, `$2`, … of the message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
}

/// A message without arguments.
pub fn phrase(key: &'static str) -> Phrase {
    Phrase {
        key: key.to_owned(),
        args: Vec::new(),
    }
}

impl Phrase {
    /// The same message with one argument more.
    #[must_use]
    pub fn with(mut self, argument: &(impl ToString + ?Sized)) -> Self {
        self.args.push(argument.to_string());
        self
    }
}

/// Words of a model, or of our own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Said {
    /// A message of ours.
    Phrase(Phrase),
    /// A model's words.
    Words(String),
}
