//! What the core says to a person: a message's key and its arguments, never prose.
//!
//! Pages resolve a [`Phrase`] through `chrome.i18n`, so that one run reads in
//! whatever language its surface has. `cargo xtask tidy` checks that every key
//! stands in `_locales`.

use crate::markdown::clean;
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
    /// The same message with one argument more, without characters that would turn
    /// the words around it: it may be a page's, a model's or a server's.
    #[must_use]
    pub fn with(mut self, argument: &(impl ToString + ?Sized)) -> Self {
        self.args.push(clean(&argument.to_string()));
        self
    }
}

/// Words of a model, or of our own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Said {
    /// A message of ours.
    Phrase(Phrase),
    /// A model's words, made by [`Said::words`].
    Words(String),
}

impl Said {
    /// A model's words, without characters that would make them look like others.
    pub fn words(words: &str) -> Self {
        Self::Words(clean(words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_words_turn_nothing_around_them() {
        let foreign = "invoice\u{202e}fdp.exe\u{1b}[31m, שלום \u{200f}עולם";
        let clean = "invoicefdp.exe, שלום \u{200f}עולם";
        assert_eq!(Said::words(foreign), Said::Words(clean.to_owned()));
        assert_eq!(phrase("a").with(foreign).args, [clean]);
    }
}
