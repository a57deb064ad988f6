//! Recognises events that are like an earlier event. Most events of a stream differ only in their
//! text, so they need no JSON parser.
//!
//! Driving example: `{"type": "…delta", "sequence_number": 7, "delta": "潮"}`. The dialect names
//! fields whose values have no meaning, such as `sequence_number`. Their values are ignored.

use gloss_durable::sorted::sort_by_key;
use memchr::{memchr2, memchr3};
use std::borrow::Cow;

/// An earlier event, with gaps in place of the values that vary. An event that fits the template
/// needs no JSON parser, because by the grammar of JSON only the values in the gaps can differ.
#[derive(Debug)]
pub(super) struct EventTemplate {
    /// The gaps in order. Each gap is stored with the text between the previous gap and this one.
    holes: Vec<(String, Gap)>,
    after: String,
}

/// The kind of value in a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gap {
    /// The text for the user.
    Content,
    /// A string that is ignored.
    Text,
    /// A whole number that is ignored.
    Number,
}

impl EventTemplate {
    /// Makes a template from an event in which only the text `content` matters. The values of the
    /// fields named in `free` are ignored. `None` if `content` contains escapes in `data`, or
    /// occurs twice.
    pub(super) fn of(data: &str, content: &str, free: &[&str]) -> Option<Self> {
        let quoted = format!("\"{content}\"");
        plain(quoted.get(1..)?).filter(|end| *end == content.len())?;
        let mut places = data.match_indices(&quoted);
        let (Some((start, _)), None) = (places.next(), places.next()) else {
            return None;
        };
        let start = start + 1;
        let mut found = vec![(start, start + content.len(), Gap::Content)];
        for name in free {
            // Inside a JSON string, these quotation marks would be escaped. The match is therefore
            // a field's name.
            let field = format!("\"{name}\":");
            for (at, _) in data.match_indices(&field) {
                found.extend(value(data, at + field.len()));
            }
        }
        sort_by_key(&mut found, |(start, ..)| *start);
        let mut holes = Vec::new();
        let mut done = 0;
        for (start, end, hole) in found {
            let before = data.get(done..start)?;
            if hole != Gap::Number && !before.ends_with('"') {
                return None;
            }
            holes.push((before.to_owned(), hole));
            done = end;
        }
        let after = data.get(done..)?.to_owned();
        Some(Self { holes, after })
    }

    /// Returns the text of an event that differs from the template only in the gaps. `None` for
    /// other events.
    pub(super) fn content<'a>(&self, data: &'a str) -> Option<Cow<'a, str>> {
        let mut content = None;
        let mut rest = data;
        for (before, hole) in &self.holes {
            let from = rest;
            rest = without(rest, before)?;
            let end = match hole {
                Gap::Content => written(rest)?,
                Gap::Text => plain(rest)?,
                Gap::Number => digits(rest),
            };
            let (value, after) = rest.split_at_checked(end)?;
            if *hole == Gap::Content {
                // The text with its quotation marks. The opening quotation mark is the last
                // character before the gap.
                let quoted = from.get(before.len() - 1..=before.len() + end)?;
                content = Some((value, quoted));
            }
            rest = after;
        }
        let (value, quoted) = content.filter(|_| without(rest, &self.after) == Some(""))?;
        if quoted.strip_prefix('"').and_then(plain) == Some(value.len()) {
            return Some(Cow::Borrowed(value));
        }
        serde_json::from_str(quoted).ok().map(Cow::Owned)
    }
}

/// Returns the text after a prefix. `None` if `text` does not begin with the prefix. The code
/// compares eight bytes at a time. In WebAssembly, the standard library compares single bytes,
/// which takes more time than the rest of this module.
fn without<'a>(text: &'a str, before: &str) -> Option<&'a str> {
    let (start, rest) = text.split_at_checked(before.len())?;
    let (words, few) = start.as_bytes().as_chunks::<8>();
    let (expected, last) = before.as_bytes().as_chunks::<8>();
    let same = words.iter().zip(expected).all(|(one, other)| one == other);
    (same && few == last).then_some(rest)
}

/// Returns the length of a string up to its closing quotation mark.
fn written(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        at += memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes.get(at) == Some(&b'"') {
            return Some(at);
        }
        // Skips the backslash and the escaped character.
        at += 2;
    }
}

/// Returns the range and the kind of the value at `from`. `None` if the value is neither a string
/// without escapes nor a whole number.
fn value(data: &str, from: usize) -> Option<(usize, usize, Gap)> {
    let rest = data.get(from..)?;
    let value = rest.trim_start();
    let from = from + rest.len() - value.len();
    if let Some(text) = value.strip_prefix('"') {
        return Some((from + 1, from + 1 + plain(text)?, Gap::Text));
    }
    let end = digits(value);
    (end > 0).then_some((from, from + end, Gap::Number))
}

/// Returns the length of a string up to its closing quotation mark. `None` if the string has an
/// escape.
fn plain(text: &str) -> Option<usize> {
    let end = memchr3(b'"', b'\\', b'\n', text.as_bytes())?;
    let (plain, after) = text.split_at_checked(end)?;
    let is_plain = after.starts_with('"') && plain.bytes().all(|byte| byte >= b' ');
    is_plain.then_some(end)
}

fn digits(text: &str) -> usize {
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    text.bytes().take_while(|byte| is_digit(byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::json::{self, Fields};

    const FREE: [&str; 2] = ["no", "at"];

    fn mould(data: &str) -> Option<EventTemplate> {
        let event = json::object(data).unwrap();
        EventTemplate::of(data, event.text("text"), &FREE)
    }

    #[test]
    fn what_differs_in_its_content_and_in_what_means_nothing_fits() {
        let mould = mould(r#"{"no": 7, "text":"a", "at":"x", "index":0}"#).unwrap();
        for (data, content) in [
            (r#"{"no": 7, "text":"a", "at":"x", "index":0}"#, Some("a")),
            (
                r#"{"no": 123, "text":"潮 ", "at":"", "index":0}"#,
                Some("潮 "),
            ),
            (r#"{"no": 7, "text":"", "at":"y", "index":0}"#, Some("")),
            (r#"{"no": 7, "text":"a", "at":"x", "index":1}"#, None),
            (r#"{"no": -7, "text":"a", "at":"x", "index":0}"#, None),
            (
                r#"{"no": 7, "text":"\"a\\", "at":"x", "index":0}"#,
                Some("\"a\\"),
            ),
            (
                r#"{"no": 7, "text":"\ud83d\ude00", "at":"x", "index":0}"#,
                Some("😀"),
            ),
            (r#"{"no": 7, "text":"\ud83d", "at":"x", "index":0}"#, None),
            (r#"{"no": 7, "text":"\x", "at":"x", "index":0}"#, None),
            (r#"{"no": 7, "text":"a\"#, None),
            (r#"{"no": 7, "text":"a", "at":"\"", "index":0}"#, None),
            (r#"{"no": 7, "text":"a","at":"x", "index":0}"#, None),
            (r#"{"no": 7, "text":"a", "at":"x", "index":0} "#, None),
            (
                r#"{"no": 7, "text":"a", "b":"", "at":"x", "index":0}"#,
                None,
            ),
            (r#"{"no": 7, "text":"a"#, None),
            ("", None),
        ] {
            assert_eq!(mould.content(data).as_deref(), content, "{data}");
        }
        assert_eq!(
            mould.content("{\"no\": 7, \"text\":\"\u{1}\", \"at\":\"x\", \"index\":0}"),
            None
        );
    }

    #[test]
    fn what_is_not_written_once_as_it_stands_makes_no_mould() {
        assert!(mould(r#"{"text": "a\n"}"#).is_none());
        assert!(mould(r#"{"text": "a\""}"#).is_none());
        assert!(mould(r#"{"text": "a", "b": "a"}"#).is_none());
    }

    #[test]
    fn a_field_named_within_a_text_is_none() {
        let mould = mould(r#"{"b": "\"no\":7", "text":"a"}"#).unwrap();
        assert_eq!(mould.content(r#"{"b": "\"no\":8", "text":"a"}"#), None);
        assert_eq!(
            mould.content(r#"{"b": "\"no\":7", "text":"b"}"#).as_deref(),
            Some("b")
        );
    }
}
