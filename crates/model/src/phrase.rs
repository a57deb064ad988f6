//! Messages from the core to the user. A message consists of a key and arguments, not of text.
//!
//! Pages turn a [`Phrase`] into text through `chrome.i18n`. An old run is therefore also shown in
//! the interface's current language. `cargo xtask tidy` checks that every key is in `_locales`.

use gloss_markdown::clean;
use serde::{Deserialize, Serialize};

/// A message key in `_locales`, with the values of the message's placeholders in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phrase {
    /// The message's key in `_locales/*/messages.json`.
    pub key: String,
    /// The values of the placeholders `$1`, `$2`, and so on.
    #[serde(default)]
    pub args: Vec<String>,
}

/// Makes a message without arguments.
pub fn phrase(key: &'static str) -> Phrase {
    Phrase {
        key: key.to_owned(),
        args: Vec::new(),
    }
}

/// Makes a message for a duration in seconds, minutes or hours. For example, 90 s stay 90 seconds,
/// and 600 s become 10 minutes. Minutes and hours are rounded up.
pub fn in_units(seconds: u64, [in_seconds, in_minutes, in_hours]: [&'static str; 3]) -> Phrase {
    match seconds {
        0..=120 => phrase(in_seconds).with(&seconds),
        121..=7_200 => phrase(in_minutes).with(&seconds.div_ceil(60)),
        _ => phrase(in_hours).with(&seconds.div_ceil(3_600)),
    }
}

impl Phrase {
    /// Adds an argument. Characters that hide the surrounding text or reverse its direction are
    /// removed, because the argument may come from a page, a model or a server.
    #[must_use]
    pub fn with(mut self, argument: &(impl ToString + ?Sized)) -> Self {
        self.args.push(clean(&argument.to_string()));
        self
    }
}

/// Text that is shown to the user, written by a model or by Gloss.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DisplayText {
    /// A message of Gloss.
    Phrase(Phrase),
    /// Text of a model, from which [`DisplayText::words`] removed unsafe characters.
    Words(String),
}

impl DisplayText {
    /// Makes a display text from a model's text. Characters that hide text or reverse its direction
    /// are removed.
    pub fn words(words: &str) -> Self {
        Self::Words(clean(words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_said_in_seconds_then_in_minutes_then_in_hours() {
        for (seconds, key, number) in [
            (1, "s", "1"),
            (120, "s", "120"),
            (121, "min", "3"),
            (7_200, "min", "120"),
            (7_201, "h", "3"),
            (86_213, "h", "24"),
        ] {
            let said = in_units(seconds, ["s", "min", "h"]);
            assert_eq!((&*said.key, &*said.args), (key, &[number.to_owned()][..]));
        }
    }

    #[test]
    fn foreign_words_turn_nothing_around_them() {
        let foreign = "invoice\u{202e}fdp.exe\u{1b}[31m, שלום \u{200f}עולם";
        let clean = "invoicefdp.exe, שלום \u{200f}עולם";
        assert_eq!(
            DisplayText::words(foreign),
            DisplayText::Words(clean.to_owned())
        );
        assert_eq!(phrase("a").with(foreign).args, [clean]);
    }
}
