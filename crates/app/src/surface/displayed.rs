//! Reads what a page of the extension displays.
//!
//! Example: a page's title contains tag characters, in which an order to a model is hidden. Every
//! text of a page, a model or a server that the extension's pages show, copy or name a file by
//! arrives in a message of the worker. So hidden characters are removed here, once for all of them.
//! The journal keeps them. In an exported file they are written as escapes, which
//! [`gloss_markdown::visible_json`] does.

use gloss_durable::json;
use gloss_markdown::clean;
use serde::de::DeserializeOwned;
use serde_json::{Error, Value};

/// Reads a JSON text without the hidden characters in its texts and names.
///
/// # Errors
/// The text is not JSON, or doesn't have the form of the type.
pub fn displayed<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    let mut value = json::parse(text)?;
    clean_texts(&mut value);
    json::read(&value)
}

fn clean_texts(value: &mut Value) {
    match value {
        Value::String(text) if is_unusual(text) => *text = clean(text),
        Value::Array(items) => items.iter_mut().for_each(clean_texts),
        Value::Object(fields) => {
            if fields.keys().any(|name| is_unusual(name)) {
                let named = std::mem::take(fields).into_iter();
                fields.extend(named.map(|(name, value)| (clean(&name), value)));
            }
            fields.values_mut().for_each(clean_texts);
        }
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Returns true if a text contains more than printable ASCII and line breaks. The bytes of an image
/// are never unusual.
fn is_unusual(text: &str) -> bool {
    !text.bytes().all(|it| matches!(it, b' '..=b'~' | b'\n'))
}

#[cfg(test)]
mod tests {
    use super::super::Reply;
    use super::*;
    use serde_json::json;

    const HIDDEN: &str = "\u{202e}\u{200b}\u{ad}\u{e0061}\u{e0062}\u{feff}\u{1b}[31m";

    /// Puts hidden characters into every text of a value, and returns the number of texts.
    fn hide_in(value: &mut Value) -> usize {
        match value {
            Value::String(text) => {
                *text = format!("{text}{HIDDEN}");
                1
            }
            Value::Array(items) => items.iter_mut().map(hide_in).sum(),
            Value::Object(fields) => fields.values_mut().map(hide_in).sum(),
            Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        }
    }

    #[test]
    fn no_text_that_a_page_displays_has_a_hidden_character() {
        let plain = json!({ "history": { "conversations": [] }, "page": {
            "title": "Tides", "thought": ["می\u{200c}خواهم", "👩\u{200d}👧"],
            "call": { "arguments": "{\"query\":\"tide\"}", "to": "Wikipedia", "file": "tide.png" },
        } });
        let mut hidden = plain.clone();
        assert_eq!(hide_in(&mut hidden), 6);
        assert_eq!(displayed::<Value>(&hidden.to_string()).unwrap(), plain);
        let named = json!({ format!("tool{HIDDEN}"): 1 });
        let named: Value = displayed(&named.to_string()).unwrap();
        assert_eq!(named, json!({ "tool": 1 }));
    }

    #[test]
    fn a_message_of_the_worker_is_read_this_way() {
        let run = gloss_durable::RunId("r".to_owned());
        let text = gloss_markdown::visible_json(&json!({ "page": HIDDEN }).to_string());
        let reply = Reply::Exported { run, text };
        // The exported file is JSON with escapes, so that it loses nothing.
        assert_eq!(
            displayed::<Reply>(&json::text(&reply).unwrap()).unwrap(),
            reply
        );
    }
}
