//! Results as a fresh continuation reads them: none longer than so much.
//!
//! Driving example: a search gave three pages of thirty passages each. Every passage keeps its
//! id and the beginning of its words, so that the model may still cite it; what it is cited from
//! is the whole result, which is kept beside it ([`super::Whole`]). Deliberately absent: the
//! finding of key points, which would ask a model.

use crate::agent::elsewhere::is_held;
use crate::agent::history::shortened;
use crate::text::tokens::estimate;
use serde_json::Value;

/// The most tokens of one result.
const RESULT_TOKENS: u32 = 2_000;

/// So many characters of each passage are tried, the first that make the whole short enough.
const OF_EACH: [usize; 6] = [1_600, 800, 400, 200, 100, 50];

/// Under which names a result has words that are not needed to the last.
const WORDS: [&str; 3] = ["text", "snippet", "reason"];

/// A result that is too long, shortened, and it itself where something of it may be cited.
pub(super) fn short(result: Value) -> (Value, Option<Value>) {
    let text = result.to_string();
    if estimate(&text) <= RESULT_TOKENS {
        return (result, None);
    }
    if !is_held(&result) {
        return (Value::String(shortened(&text, RESULT_TOKENS)), None);
    }
    let evenly = OF_EACH.iter().find_map(|most| {
        let mut cut = result.clone();
        cut_words(&mut cut, *most);
        (estimate(&cut.to_string()) <= RESULT_TOKENS).then_some(cut)
    });
    let short = evenly.unwrap_or_else(|| Value::String(shortened(&text, RESULT_TOKENS)));
    (short, Some(result))
}

fn cut_words(value: &mut Value, most: usize) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                match field {
                    Value::String(words) if WORDS.contains(&name.as_str()) => cut(words, most),
                    field => cut_words(field, most),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| cut_words(item, most)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn cut(words: &mut String, most: usize) {
    if let Some((end, _)) = words.char_indices().nth(most) {
        words.truncate(end);
        words.push('…');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::sources;
    use serde_json::json;

    fn found(passages: usize, words: usize) -> Value {
        let passages = (1..=passages).map(|n| {
            json!({ "id": format!("s1a1.p{n}"), "text": format!("{n} {}", "tide ".repeat(words)) })
        });
        let passages: Vec<Value> = passages.collect();
        json!({ "searched": ["tide"], "provider": "Wikipedia", "pages": [{
            "id": "s1a1", "url": "https://tides.example/", "title": "Tides", "passages": passages,
            "found": { "relevant": "so", "confidencePercent": 80, "standing": "read" },
        }] })
    }

    #[test]
    fn every_passage_of_a_long_result_keeps_its_id_and_its_beginning() {
        for (passages, words) in [(2, 2_000), (20, 200), (40, 100)] {
            let result = found(passages, words);
            let (short, whole) = short(result.clone());
            assert!(estimate(&short.to_string()) <= RESULT_TOKENS);
            assert_eq!(whole, Some(result));
            let [page] = &sources(&short)[..] else {
                panic!("{short}");
            };
            assert_eq!(page.passages.len(), passages);
            for (n, passage) in (1..).zip(&page.passages) {
                assert!(passage.text.starts_with(&format!("{n} tide")));
            }
        }
    }

    #[test]
    fn one_that_is_too_long_for_that_keeps_its_ends_and_may_be_cited_all_the_same() {
        let (short, whole) = short(found(400, 40));
        assert!(short.is_string());
        assert_eq!(whole, Some(found(400, 40)));
    }

    #[test]
    fn what_is_short_stands_as_it_is_and_what_nothing_is_cited_from_keeps_its_ends() {
        let result = found(2, 5);
        assert_eq!(short(result.clone()), (result, None));
        let (text, whole) = short(json!({ "text": "tide ".repeat(5_000) }));
        assert!(text.as_str().is_some_and(|it| it.contains("[…]")));
        assert_eq!(whole, None);
    }
}
