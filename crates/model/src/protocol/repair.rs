//! Parses the JSON that models write. Strict JSON is parsed directly; other JSON is repaired first.

pub(super) use super::json_repairer::End;
use super::json_repairer::JsonRepairer;
use serde_json::{Deserializer, Value};

#[derive(Debug)]
pub(super) struct Read {
    pub(super) value: Value,
    /// The length of the value's text in bytes.
    pub(super) length: usize,
    pub(super) end: End,
}

/// Parses the JSON value at the beginning of `text`. Missing closing brackets are added. The result
/// is [`End::CutOff`] if the text ends within a string or before a value, because the missing part
/// is unknown. `None` if the text can't be repaired.
pub(super) fn value(text: &str) -> Option<Read> {
    let mut stream = Deserializer::from_str(text).into_iter::<Value>();
    if let Some(Ok(value)) = stream.next() {
        return Some(Read {
            value,
            length: stream.byte_offset(),
            end: End::Whole,
        });
    }
    mended(text, JsonRepairer::default())
}

/// Parses the arguments of a Python call up to the closing bracket, for example `query='tide',
/// days=3)`.
pub(super) fn arguments(text: &str) -> Option<Read> {
    mended(text, JsonRepairer::arguments())
}

fn mended(text: &str, mut mender: JsonRepairer) -> Option<Read> {
    let length = mender.push(text).unwrap_or(text.len());
    let (mended, end) = mender.finish()?;
    let value = serde_json::from_str(&mended).ok()?;
    Some(Read { value, length, end })
}

/// Parses the JSON value at the beginning of `text`. `None` if the value can't be repaired, or if
/// it is [`End::CutOff`].
pub(super) fn whole(text: &str) -> Option<Value> {
    let read = value(text)?;
    (read.end == End::Whole).then_some(read.value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;
    use serde_json::json;

    #[test]
    fn common_slips_are_mended() {
        let call = json!({ "action": "find", "arguments": { "query": "a, b" } });
        let said = |text: &str| json!({ "a": text });
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
            (
                r#"{"action": "find", "arguments": {"query": "a, b"#,
                call.clone(),
            ),
            (
                r#"{{"action": "find", "arguments": {{"query": "a, b"}}}}"#,
                call.clone(),
            ),
            (
                "{'action': 'find', 'arguments': {'query': 'a, b'}}",
                call.clone(),
            ),
            ("{action: find, arguments: {query: \"a, b\"}}", call.clone()),
            (
                "{“action”： “find”， “arguments”： {“query”： “a, b”}}",
                call.clone(),
            ),
            (
                "{\"action\": \"find\" // the tool\n, \"arguments\": {\"query\": \"a, b\"} # so\n}",
                call.clone(),
            ),
            (
                "{\"action\": \"find\"\n \"arguments\": {\"query\": \"a, b\"}}",
                call.clone(),
            ),
            (
                "{\"action\" = \"find\", \"arguments\" => {\"query\": \"a, b\"}}",
                call,
            ),
            (
                "{\"a\": \"x\ny\", \"b\": True, \"c\": [1, None, ], \"d\":False}",
                json!({ "a": "x\ny", "b": true, "c": [1, null], "d": false }),
            ),
            (
                r#"{"a": [1, 2, {"b": 3}"#,
                json!({ "a": [1, 2, { "b": 3 }] }),
            ),
            (r#"{"a": [1, 2}"#, json!({ "a": [1, 2] })),
            (r#"{"a": [1 2 "x"]}"#, json!({ "a": ["1 2 \"x\""] })),
            ("{\"a\": [\"x\"\n\"y\"]}", json!({ "a": ["x", "y"] })),
            (r#"{"a": [1, 2]]}"#, json!({ "a": [1, 2] })),
            (r#"{"a": "True \"None\"",}"#, said("True \"None\"")),
            (r#"{"a": "the "neap" tide"}"#, said("the \"neap\" tide")),
            (r"{'a': 'it\'s'}", said("it's")),
            (r#"{'a': "it's"}"#, said("it's")),
            (r#"{'a': 'say "x"'}"#, said("say \"x\"")),
            (r#"{"a": "find\_in\_page",}"#, said("find_in_page")),
            (
                r#"{"a": "\ud83c\udf0a \u6f6e \ud83c",}"#,
                said("🌊 潮 \u{fffd}"),
            ),
            (r#"{"a": neap tide at Brest}"#, said("neap tide at Brest")),
            (
                r#"{"a": https://a.example/b, "b": 1}"#,
                json!({ "a": "https://a.example/b", "b": 1 }),
            ),
            (
                r#"{"a": +1, "b": .5, "c": 1_000, "d": 007, "e": 1.}"#,
                json!({ "a": 1, "b": 0.5, "c": 1000, "d": 7, "e": 1 }),
            ),
            (
                r#"{"a": , "b": undefined}"#,
                json!({ "a": null, "b": null }),
            ),
            ("{\"a\": \"x\u{1}\", ...}", said("x\u{1}")),
            ("{a: \"x\" / }", said("x")),
            (
                "{a: 18446744073709551615, b: -9223372036854775808}",
                json!({ "a": u64::MAX, "b": i64::MIN }),
            ),
            (
                "{a: 123456789012345678901, b: -9223372036854775809}",
                json!({ "a": "123456789012345678901", "b": "-9223372036854775809" }),
            ),
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
            (r#"{"query": "Fres\u00"#, None),
            (r#"{"query": Fres"#, None),
            (r#"{"que"#, None),
            (r#"{"que""#, None),
            (r#"{"query":"#, None),
            (r#"{"query": /"#, None),
            (r#"{"query": 12"#, None),
            (r#"{"query": [1, 2"#, None),
            (r#"{"query": 12 "#, Some(json!({ "query": 12 }))),
            (r#"{"query": 12,"#, Some(json!({ "query": 12 }))),
            (r#"{"query": true"#, Some(json!({ "query": true }))),
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
        for text in [
            "",
            "{",
            "nonsense",
            "}",
            "{\"a\" 1}",
            "{\"a\": 1, \"b\"}",
            "潮",
            "{{}",
            "[[[",
        ] {
            let read = value(text).map(|read| read.value);
            let empty = [json!({}), json!([]), json!([[[]]])];
            assert!(
                read.as_ref().is_none_or(|it| empty.contains(it)),
                "{text}: {read:?}"
            );
        }
    }

    #[test]
    fn what_is_long_takes_no_longer_for_each_character() {
        let count = 500_000;
        let begins = std::time::Instant::now();
        let lines = format!("{{'a': '{}',}}", "\n\"".repeat(count));
        let read = value(&lines).unwrap();
        assert_eq!(read.value, json!({ "a": "\n\"".repeat(count) }));
        let mut mender = JsonRepairer::default();
        let brackets = format!("{}{}", "[".repeat(count), "}".repeat(count));
        assert_eq!(mender.push(&brackets), None);
        assert_eq!(mender.mended().len(), count);
        let plain = format!("{{a: \"{}\"", "Two tides a day. ".repeat(count));
        assert_eq!(JsonRepairer::default().push(&plain), None);
        // An algorithm with quadratic time would take minutes for these lengths.
        assert!(begins.elapsed().as_secs() < 5);
    }

    quickcheck! {
        /// The result does not depend on how the text is split into parts. The result is strict
        /// JSON or nothing.
        fn any_text_is_mended_alike_in_any_pieces(picks: Vec<u8>, cut: usize) -> bool {
            const SCRAPS: [&str; 23] = [
                "{", "}", "[", "]", ":", ",", "\"", "'", "a", " ", "\n", "\\", "1", "//", "/*",
                "*/", "#", "潮", "“", "True", "\\u", "d83c", "/",
            ];
            let scraps = picks.iter().filter_map(|pick| SCRAPS.get(usize::from(*pick) % SCRAPS.len()));
            let text = format!("{{{}", scraps.copied().collect::<String>());
            let mut whole = JsonRepairer::default();
            let end = whole.push(&text);
            let cut = (0..=cut % (text.len() + 1)).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
            let (head, tail) = text.split_at(cut);
            let mut parts = JsonRepairer::default();
            let ended = parts.push(head).or_else(|| Some(cut + parts.push(tail)?));
            let mended = whole.finish();
            let strict = mended.iter().all(|(json, _)| serde_json::from_str::<Value>(json).is_ok());
            strict && end == ended && mended == parts.finish()
        }

        fn strict_json_comes_out_as_it_was(keys: Vec<(String, String, i64)>) -> bool {
            let fields = keys.into_iter().map(|(key, text, number)| (key, json!([text, number, { "x": null }])));
            let value = Value::Object(fields.collect());
            let text = serde_json::to_string_pretty(&value).unwrap_or_default();
            let mut mender = JsonRepairer::default();
            let length = mender.push(&text);
            let mended = mender.finish().and_then(|(json, _)| serde_json::from_str::<Value>(&json).ok());
            length == Some(text.len()) && mended == Some(value)
        }
    }
}
