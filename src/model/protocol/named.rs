//! Whether an object that begins names one of the tools, before it is over.
//!
//! Driving example: behind the words of an answer stands `{"name": "find_in_page"`, and that is a
//! call that nobody sees; `{"name": "Brest"` is what the answer quotes, and is shown as it comes.

use super::calls::canonical;
use super::inline::answers;
use super::repair::{self, End, Read};
use super::signs::Sign;
use crate::model::ToolDefinition;
use serde_json::Value;

/// Fields whose text names what is called.
const NAMES: [&str; 4] = ["name", "action", "tool", "tool_name"];
/// Fields that hold calls.
const CALLS: [&str; 3] = ["tool_calls", "toolCalls", "function"];
/// Fields that may come before.
const BEFORE: [&str; 6] = ["id", "type", "thought", "thinking", "reasoning", "plan"];

/// What has not told by then is held: it is told apart at the end. In bytes.
const LONGEST: usize = 2_000;

/// Whether a name is one of these tools'.
pub(super) fn is_known(name: &str, tools: &[ToolDefinition]) -> bool {
    let name = canonical(name);
    tools.iter().any(|tool| tool.name == name)
}

/// Whether the object that `text` begins with calls one of these tools, or answers as if by one.
pub(super) fn sign(text: &str, tools: &[ToolDefinition]) -> Sign {
    // No longer than it is looked through at each piece.
    let unknown = if text.len() > LONGEST {
        Sign::Call
    } else {
        Sign::Unknown
    };
    let Some(Read {
        value: Value::Object(fields),
        end,
        ..
    }) = repair::value(text)
    else {
        return unknown;
    };
    if CALLS.iter().any(|name| fields.contains_key(*name))
        || NAMES
            .iter()
            .any(|name| fields.get(*name).is_some_and(Value::is_object))
    {
        return Sign::Call;
    }
    match NAMES.iter().find_map(|name| fields.get(*name)?.as_str()) {
        Some(name) if end == End::CutOff && begins_name(name, tools) => unknown,
        Some(name) if is_known(name, tools) || answers(name) => Sign::Call,
        Some(_) => Sign::Nothing,
        None if fields.keys().all(|name| BEFORE.contains(&name.as_str())) => unknown,
        None => Sign::Nothing,
    }
}

fn begins_name(begun: &str, tools: &[ToolDefinition]) -> bool {
    tools.iter().any(|tool| tool.name.starts_with(begun))
}
