//! The control block of a reply. In this JSON block, the model sends data to the agent loop.
//!
//! Parsing is lenient. A field of an unexpected type is accepted if its meaning is clear. Other
//! fields of an unexpected type are ignored.

use super::inline::FIELDS;
use super::repair;
use crate::phrase::DisplayText;
use crate::{Complexity, Control, Reflection};
use gloss_durable::json;
use serde_json::{Map, Value};

/// The parsed content of a control block.
pub(super) enum Block<'a> {
    /// The block contains a JSON object. The values are its fields, and the text after the object.
    Fields(Map<String, Value>, &'a str),
    /// The block contains plain text.
    Words(&'a str),
    /// The block begins with an object that can't be parsed.
    Broken,
}

/// Parses the text between the tags of a control block.
pub(super) fn block(inner: &str) -> Block<'_> {
    let inner = inner.trim();
    let unfenced = inner.strip_prefix("```json").unwrap_or(inner);
    let unfenced = unfenced.trim_start_matches('`').trim_start();
    if !unfenced.starts_with('{') {
        return Block::Words(unfenced.trim_end_matches('`').trim_end());
    }
    match repair::value(unfenced) {
        Some(repair::Read {
            value: Value::Object(fields),
            length,
            ..
        }) => {
            let behind = unfenced.get(length..).unwrap_or_default().trim_start();
            let fence = if inner.starts_with('`') { "```" } else { "" };
            Block::Fields(fields, behind.strip_prefix(fence).unwrap_or(behind))
        }
        _ => Block::Broken,
    }
}

/// The names of fields that a control block may contain.
const OURS: [&str; 13] = [
    "thought",
    "thinking",
    "plan",
    "observation",
    "goal_met",
    "should_continue",
    "completed",
    "decisions",
    "reflection",
    "confidence",
    "complexity",
    "tools_to_consider",
    "finish",
];

/// Returns true if all fields are for the agent loop, and no field contains an answer.
pub(super) fn is_silent(fields: &Map<String, Value>) -> bool {
    let empty = |value: &Value| match value {
        Value::String(text) => text.trim().is_empty(),
        other => other.is_null(),
    };
    let silent = |(name, value): (&String, &Value)| {
        OURS.contains(&name.as_str()) || (FIELDS.contains(&name.as_str()) && empty(value))
    };
    !fields.is_empty() && fields.iter().all(silent)
}

/// Adds the fields' values to `control`. Values that are already set stay unchanged, but the lists
/// `completed` and `decisions` are extended.
pub(super) fn read(fields: &Map<String, Value>, control: &mut Control) {
    let words = |names: &[&str]| {
        let found = names.iter().find_map(|name| fields.get(*name)?.as_str());
        let found = found.map(str::trim).filter(|words| !words.is_empty());
        found.map(DisplayText::words)
    };
    let taken = &mut control.thought;
    *taken = taken
        .take()
        .or_else(|| words(&["thought", "thinking", "plan"]));
    let taken = &mut control.observation;
    *taken = taken.take().or_else(|| words(&["observation"]));
    control.goal_met = control.goal_met.or_else(|| {
        let met = fields.get("goal_met").and_then(truth);
        met.or_else(|| fields.get("should_continue").and_then(truth).map(|on| !on))
    });
    let list = |name: &str| fields.get(name).map(sentences).unwrap_or_default();
    control.completed.extend(list("completed"));
    control.decisions.extend(list("decisions"));
    let learned = fields.get("reflection").map(lessons).unwrap_or_default();
    match <[Reflection; 1]>::try_from(learned) {
        Ok([one]) => control.reflection = control.reflection.take().or(Some(one)),
        Err(several) if control.reflections.is_empty() => control.reflections = several,
        Err(_) => {}
    }
    let sure = fields.get("confidence").and_then(share);
    control.confidence = control.confidence.or(sure);
    let hard = fields.get("complexity").and_then(complexity);
    control.complexity = control.complexity.or(hard);
}

/// Reads one lesson, or a list with one lesson for each failed call. If one item of the list can't
/// be read, no lesson of the list is used, because each lesson belongs to the call at the same
/// position.
fn lessons(value: &Value) -> Vec<Reflection> {
    match value {
        Value::Array(several) => several.iter().map(lesson).collect::<Option<_>>(),
        one => lesson(one).map(|one| vec![one]),
    }
    .unwrap_or_default()
}

/// Reads a lesson from an object with `why` and `instead`, or from a text, which becomes `instead`.
fn lesson(value: &Value) -> Option<Reflection> {
    let words = |value: &Value| {
        let words = value.as_str().map(str::trim).filter(|it| !it.is_empty());
        words.map(str::to_owned)
    };
    let (why, instead) = match value {
        Value::Object(fields) => (
            fields.get("why").and_then(words),
            fields.get("instead").and_then(words)?,
        ),
        other => (None, words(other)?),
    };
    Some(Reflection { why, instead })
}

/// Reads a list of short texts, or a single text.
fn sentences(value: &Value) -> Vec<String> {
    let texts = match value {
        Value::Array(texts) => texts.as_slice(),
        text => std::slice::from_ref(text),
    };
    let texts = texts.iter().filter_map(Value::as_str).map(str::trim);
    texts
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
        .collect()
}

fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(truth) => Some(*truth),
        Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" => Some(true),
            "false" | "no" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// Reads a number from 0 to 1. Percentages are converted: "85%" and 85 become 0.85.
pub fn share(value: &Value) -> Option<f32> {
    let (number, is_percent) = match value {
        Value::Number(number) => (number.as_f64()?, false),
        Value::String(text) => {
            let text = text.trim();
            let number = text.trim_end_matches('%');
            (json::number(number.trim())?, number != text)
        }
        _ => return None,
    };
    let is_percent = is_percent || number > 1.0;
    let number = if is_percent { number / 100.0 } else { number };
    (0.0..=1.0).contains(&number).then_some(number as f32)
}

fn complexity(value: &Value) -> Option<Complexity> {
    match value.as_str()?.trim().to_ascii_lowercase().as_str() {
        "simple" => Some(Complexity::Simple),
        "moderate" => Some(Complexity::Moderate),
        "complex" => Some(Complexity::Complex),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_share_is_a_number_or_a_percentage() {
        for (said, expected) in [
            (json!(0.85), Some(0.85)),
            (json!(85), Some(0.85)),
            (json!("85%"), Some(0.85)),
            (json!("1 %"), Some(0.01)),
            (json!("0.5%"), Some(0.005)),
            (json!(1), Some(1.0)),
            (json!("1"), Some(1.0)),
            (json!(101), None),
            (json!("high"), None),
        ] {
            assert_eq!(share(&said), expected, "{said}");
        }
    }

    #[test]
    fn a_reflection_is_one_lesson_or_a_list_of_one_for_each_call() {
        let one = |instead: &str| Reflection {
            why: None,
            instead: instead.to_owned(),
        };
        let table = [
            (json!({ "instead": "A" }), Some(one("A")), vec![]),
            (json!("A"), Some(one("A")), vec![]),
            (json!([{ "instead": "A" }]), Some(one("A")), vec![]),
            (
                json!([{ "instead": "A" }, "B"]),
                None,
                vec![one("A"), one("B")],
            ),
            // One lesson can't be read, so it is unknown to which call the other lesson belongs.
            (
                json!([{ "instead": "A" }, { "why": "B" }]),
                None,
                Vec::new(),
            ),
            (json!([]), None, Vec::new()),
            (json!(5), None, Vec::new()),
        ];
        for (said, reflection, reflections) in table {
            let Value::Object(fields) = json!({ "reflection": said }) else {
                unreachable!("it is an object");
            };
            let mut control = Control::default();
            read(&fields, &mut control);
            assert_eq!(
                (control.reflection, control.reflections),
                (reflection, reflections),
                "{fields:?}"
            );
        }
    }
}
