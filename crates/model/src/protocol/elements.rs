//! Parses tool calls that have one XML element per argument, as some model families write them.
//!
//! Example: Qwen3-Coder writes `<function=find_in_page><parameter=query>neap
//! tide</parameter></function>`. Other models write `<invoke name="…">` and `<parameter name="…">`.
//! GLM writes `<tool_call>find_in_page<arg_key>query</arg_key><arg_value>neap tide</arg_value>`.
//! Each value ends at its own end tag, so that a value can contain other tags. If there is text
//! between the elements, the call can't be read.

use super::forms::PARAMETERS;
use super::{json_repairer, repair};
use crate::ToolDefinition;
use gloss_durable::json;
use serde_json::Value;

const KEY: [&str; 2] = ["<arg_key>", "</arg_key>"];
const VALUE: [&str; 2] = ["<arg_value>", "</arg_value>"];
/// The end tags of a parameter.
const CLOSING: [&str; 2] = ["</parameter>", "</param>"];
/// Tags that also end a parameter if they begin a line, because some models leave out
/// `</parameter>`.
const NEXT: [&str; 5] = [
    "<parameter=",
    "<parameter name=",
    "</function>",
    "</invoke>",
    "</tool_call>",
];

/// The name of an argument, and the text of its value.
pub(super) type Pair<'a> = (&'a str, &'a str);

/// Reads the name from a tag. `said` is the text after the `=` in the tag. Also returns the text
/// after the tag.
pub(super) fn name(said: &str) -> Option<(&str, &str)> {
    let (attribute, rest) = said.split_once('>')?;
    // After a name in quotation marks, the tag may have further attributes.
    let name = match attribute.chars().next()? {
        quote @ ('"' | '\'') => attribute.get(1..)?.split(quote).next()?,
        _ => attribute,
    };
    Some((name.trim(), rest))
}

/// Reads the arguments at the beginning of `text`, and returns them with the rest of `text`. The
/// rest is empty or begins with an end tag. `None` if an argument can't be read.
pub(super) fn pairs(text: &str) -> Option<(Vec<Pair<'_>>, &str)> {
    let is_argument = |text: &str| {
        PARAMETERS
            .iter()
            .chain(KEY.first())
            .any(|sign| text.starts_with(sign))
    };
    let mut pairs = Vec::new();
    let mut rest = text.trim_start();
    while is_argument(rest) {
        let (pair, behind) = pair(rest)?;
        pairs.push(pair);
        rest = behind.trim_start();
    }
    (rest.is_empty() || rest.starts_with("</")).then_some((pairs, rest))
}

fn pair(text: &str) -> Option<(Pair<'_>, &str)> {
    let [open, close] = KEY;
    if let Some(key) = text.strip_prefix(open) {
        let (key, rest) = key.split_once(close)?;
        let [open, close] = VALUE;
        let (value, rest) = rest.trim_start().strip_prefix(open)?.split_once(close)?;
        return Some(((key.trim(), value), rest));
    }
    let (_, said) = text.split_once('=')?;
    let (key, value) = name(said)?;
    // The search goes forward from one `<` to the next, so the time is linear in the length of the
    // value.
    let mut tags = value.match_indices('<').map(|(at, _)| at);
    tags.find_map(|at| {
        let (value, rest) = value.split_at_checked(at)?;
        let closing = CLOSING.iter().find_map(|tag| rest.strip_prefix(tag));
        let begins = || value.ends_with('\n') && NEXT.iter().any(|tag| rest.starts_with(tag));
        let behind = closing.or_else(|| begins().then_some(rest))?;
        Some(((key, value), behind))
    })
}

/// Converts the arguments to JSON values. If the tool's schema allows only text for an argument,
/// its value stays text. Other values are parsed as JSON if possible.
pub(super) fn arguments(pairs: Vec<Pair<'_>>, tool: Option<&ToolDefinition>) -> Value {
    let properties = tool.and_then(|tool| tool.parameters.get("properties"));
    let typed = |(name, text): Pair<'_>| {
        let schema = properties.and_then(|all| all.get(name));
        (name.to_owned(), typed(text, schema))
    };
    json::object(pairs.into_iter().map(typed))
}

fn typed(text: &str, schema: Option<&Value>) -> Value {
    let value = text.trim();
    let takes = |kind: &str| schema.is_some_and(|schema| takes(schema, kind));
    let others = ["number", "integer", "boolean", "array", "object"];
    let only_text = takes("string") && !others.iter().any(|kind| takes(kind));
    let is_null = matches!(value, "null" | "None") && takes("null");
    if only_text && !is_null {
        return Value::from(unframed(text));
    }
    let read = match value.chars().next() {
        Some('{' | '[') => repair::whole(value),
        Some('"') => serde_json::from_str(value).ok(),
        _ => json_repairer::constant(value).and_then(|meant| serde_json::from_str(&meant).ok()),
    };
    read.unwrap_or_else(|| Value::from(unframed(text)))
}

/// Returns true if a schema allows values of this type.
fn takes(schema: &Value, kind: &str) -> bool {
    let either = schema.get("anyOf").and_then(Value::as_array);
    let either = either.is_some_and(|either| either.iter().any(|one| takes(one, kind)));
    either
        || match schema.get("type") {
            Some(Value::String(one)) => one == kind,
            Some(Value::Array(kinds)) => kinds.iter().any(|one| one == kind),
            _ => false,
        }
}

/// Removes one line break at the start and one at the end of a value.
fn unframed(text: &str) -> &str {
    let inside = text.strip_prefix('\n');
    inside.map_or(text, |inside| inside.strip_suffix('\n').unwrap_or(inside))
}
