//! JSON as small models write it: the slips that are common, and no more.
//!
//! Driving example: `{"action": "find_in_page", "arguments": {"query": "tide",}` lacks a
//! brace and has a comma too many. Mended are trailing commas, missing closing
//! brackets, raw line breaks within strings, and Python's constants. A string that is cut
//! off is closed, and that is said: nobody knows how it would have gone on.

use serde_json::{Deserializer, Value};

/// What was read.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) value: Value,
    /// How many bytes of the text it takes.
    pub(super) length: usize,
    pub(super) end: End,
}

/// How the text of a value ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// At its end, or where brackets alone are missing.
    Whole,
    /// Within a string.
    CutOff,
}

/// The JSON value that `text` begins with.
pub(super) fn value(text: &str) -> Option<Read> {
    let mut stream = Deserializer::from_str(text).into_iter::<Value>();
    if let Some(Ok(value)) = stream.next() {
        return Some(Read {
            value,
            length: stream.byte_offset(),
            end: End::Whole,
        });
    }
    let (mended, length, end) = mend(text);
    let value = serde_json::from_str(&mended).ok()?;
    Some(Read { value, length, end })
}

/// The same, unless it is cut off within a string.
pub(super) fn whole(text: &str) -> Option<Value> {
    let read = value(text)?;
    (read.end == End::Whole).then_some(read.value)
}

/// The object or list that `text` begins with, mended, and how much of it was read.
fn mend(text: &str) -> (String, usize, End) {
    let mut mended = String::with_capacity(text.len());
    let mut open = Vec::new();
    let mut string = Within::Nothing;
    let mut word = 0;
    for (at, c) in text.char_indices() {
        match string {
            Within::Escape => {
                mended.push(c);
                string = Within::String;
            }
            Within::String => match c {
                '\n' => mended.push_str("\\n"),
                '\r' => mended.push_str("\\r"),
                '\t' => mended.push_str("\\t"),
                _ => {
                    mended.push(c);
                    string = match c {
                        '"' => Within::Nothing,
                        '\\' => Within::Escape,
                        _ => Within::String,
                    };
                }
            },
            Within::Nothing => {
                if !c.is_alphabetic() {
                    constant(&mut mended, word);
                }
                match c {
                    '{' => open.push('}'),
                    '[' => open.push(']'),
                    '"' => string = Within::String,
                    '}' | ']' => {
                        uncomma(&mut mended);
                        // What was opened later and not closed closes here.
                        while let Some(bracket) = open.pop() {
                            mended.push(bracket);
                            if bracket == c {
                                break;
                            }
                        }
                        if open.is_empty() {
                            return (mended, at + 1, End::Whole);
                        }
                        word = mended.len();
                        continue;
                    }
                    _ => {}
                }
                mended.push(c);
                if !c.is_alphabetic() {
                    word = mended.len();
                }
            }
        }
    }
    let end = match string {
        Within::Escape => {
            mended.pop();
            mended.push('"');
            End::CutOff
        }
        Within::String => {
            mended.push('"');
            End::CutOff
        }
        Within::Nothing => {
            constant(&mut mended, word);
            End::Whole
        }
    };
    uncomma(&mut mended);
    mended.extend(open.into_iter().rev());
    (mended, text.len(), end)
}

#[derive(Clone, Copy)]
enum Within {
    Nothing,
    String,
    Escape,
}

/// The word that begins at `start`, if it is a constant of Python's.
fn constant(mended: &mut String, start: usize) {
    let meant = match mended.get(start..) {
        Some("True") => "true",
        Some("False") => "false",
        Some("None") => "null",
        _ => return,
    };
    mended.truncate(start);
    mended.push_str(meant);
}

fn uncomma(mended: &mut String) {
    let end = mended.trim_end().len();
    mended.truncate(end);
    if mended.ends_with(',') {
        mended.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn common_slips_are_mended() {
        let call = json!({ "action": "find", "arguments": { "query": "a, b" } });
        let table = [
            (
                r#"{"action": "find", "arguments": {"query": "a, b"}}"#,
                call.clone(),
            ),
            (
                r#"{"action": "find", "arguments": {"query": "a, b",},}"#,
                call.clone(),
            ),
            (
                r#"{"action": "find", "arguments": {"query": "a, b"}"#,
                call.clone(),
            ),
            (r#"{"action": "find", "arguments": {"query": "a, b"#, call),
            (
                "{\"a\": \"x\ny\", \"b\": True, \"c\": [1, None, ], \"d\":False}",
                json!({ "a": "x\ny", "b": true, "c": [1, null], "d": false }),
            ),
            (
                r#"{"a": [1, 2, {"b": 3}"#,
                json!({ "a": [1, 2, { "b": 3 }] }),
            ),
            (r#"{"a": [1, 2}"#, json!({ "a": [1, 2] })),
            (r#"{"a": "True \"None\""}"#, json!({ "a": "True \"None\"" })),
        ];
        for (text, expected) in table {
            assert_eq!(value(text).map(|read| read.value), Some(expected), "{text}");
        }
    }

    #[test]
    fn a_string_that_is_cut_off_makes_no_whole_value() {
        for (text, expected) in [
            (r#"{"query": "Fres"#, None),
            (r#"{"query": "Fres\"#, None),
            (r#"{"que"#, None),
            (
                r#"{"query": "Fresnel""#,
                Some(json!({ "query": "Fresnel" })),
            ),
            (
                r#"{"query": "Fresnel","#,
                Some(json!({ "query": "Fresnel" })),
            ),
        ] {
            assert_eq!(whole(text), expected, "{text}");
        }
    }

    #[test]
    fn what_follows_the_value_is_not_read() {
        for text in [r#"{"a": 1} and {"b": 2}"#, r#"{"a": 1,} and {"b": 2}"#] {
            let read = value(text).unwrap();
            assert_eq!(read.value, json!({ "a": 1 }));
            assert_eq!(&text[read.length..], r#" and {"b": 2}"#);
        }
    }

    #[test]
    fn what_is_no_json_stays_none() {
        for text in ["", "{", "{a: 1}", "{'a': 1}", "nonsense", "}", "{\"a\" 1}"] {
            let read = value(text).map(|read| read.value);
            assert!(
                read.is_none() || read == Some(json!({})),
                "{text}: {read:?}"
            );
        }
    }
}
