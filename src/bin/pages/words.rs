//! The texts of the interface. All of them come from `_locales`, and only this file reads them.

use crate::chrome;
use gloss::agent::Goal;
use gloss::phrase::{DisplayText, Phrase};
pub(crate) use gloss::ui::figures::grouped;
use gloss::ui::figures::{self, Span};
use js_sys::Array;
use wasm_bindgen::JsValue;

/// Returns the message with this key.
pub(crate) fn msg(key: &str) -> String {
    msg_with(key, &[])
}

/// The message with a key that is marked with `msg:` or `means:`. Tables of keys use such marks.
pub(crate) fn msg_of(marked: &str) -> String {
    msg_of_with(marked, &[])
}

/// The explanation that belongs to a message. The message's key is marked with `means:`, and the
/// explanation has the same key with `_means`.
pub(crate) fn means_of(marked: &str, args: &[&str]) -> String {
    msg_of_with(&format!("{marked}_means"), args)
}

/// Like [`msg_of`], with the values of the placeholders `$1`, `$2`, …
pub(crate) fn msg_of_with(marked: &str, args: &[&str]) -> String {
    let (_, key) = marked.split_once(':').unwrap_or_default();
    msg_with(key, args)
}

/// Like [`msg`], with the values of the placeholders `$1`, `$2`, …
pub(crate) fn msg_with(key: &str, args: &[&str]) -> String {
    let args: Array = args.iter().map(|arg| JsValue::from_str(arg)).collect();
    let text = chrome::message(key, &args);
    // If the message is missing, the key is more helpful than an empty text.
    if text.is_empty() {
        key.to_owned()
    } else {
        text
    }
}

/// Returns the text of a phrase from the worker.
pub(crate) fn phrase_text(phrase: &Phrase) -> String {
    let args: Vec<&str> = phrase.args.iter().map(String::as_str).collect();
    msg_with(&phrase.key, &args)
}

/// Returns a message with a number. The first key is for the number 1, the second for all others.
pub(crate) fn counted([one, many]: [&str; 2], count: u64) -> String {
    let key = if count == 1 { one } else { many };
    msg_with(key, &[&grouped(count)])
}

/// Formats a duration, as in "0.3 s", "42 s" or "3 min".
pub(crate) fn span(ms: u64) -> String {
    match figures::span(ms) {
        Span::Seconds(text) => msg_with("seconds", &[&text]),
        Span::Minutes(text) => msg_with("minutes", &[&text]),
    }
}

/// Returns a text from the worker or from a model.
pub(crate) fn text_of(said_so: &DisplayText) -> String {
    match said_so {
        DisplayText::Phrase(phrase) => phrase_text(phrase),
        DisplayText::Words(words) => words.clone(),
    }
}

/// Returns the text of a goal that the user can edit.
pub(crate) fn editable_text(goal: &Goal) -> Option<String> {
    match goal {
        Goal::Ask { question } => Some(question.clone()),
        Goal::Explain { selection } => Some(selection.clone()),
        Goal::Summarize => Some(msg("summarize_page")),
        Goal::GoOn => None,
    }
}
