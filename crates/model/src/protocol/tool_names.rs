//! Recognises a tool call in JSON before the JSON object is complete.
//!
//! Example: `{"name": "find_in_page"` in the middle of an answer begins a call, which the
//! user must not see. `{"name": "Brest"` is part of the answer, and is shown at once.

use super::calls::is_known;
use super::inline::answers;
use super::json_repairer::{Event, JsonRepairer};
use super::signs::Sign;
use crate::ToolDefinition;

/// Fields that name the called tool.
const NAMES: [&str; 4] = ["name", "action", "tool", "tool_name"];
/// Fields that contain a call, a list of calls, or the function to call.
const CALLS: [&str; 3] = ["tool_calls", "toolCalls", "function"];
/// Fields that may precede a field of [`NAMES`] or [`CALLS`].
const BEFORE: [&str; 6] = ["id", "type", "thought", "thinking", "reasoning", "plan"];

/// The maximum number of bytes that are examined. If these bytes are not enough to classify the
/// object, it is classified at the end of the reply.
const LONGEST: usize = 2_000;

/// Classifies the object at the beginning of `text`. The object is a call if it names one of
/// `tools`, or if it contains a name such as `"answer"` in place of a tool's name.
pub(super) fn detect(text: &str, tools: &[ToolDefinition]) -> Sign {
    let mut mender = JsonRepairer::default();
    let begins = text.get(..text.floor_char_boundary(LONGEST));
    mender.push(begins.unwrap_or_default());
    let within = |from, to| mender.mended().get(from..to).unwrap_or_default();
    let mut key = "";
    for event in mender.events() {
        let calls = match *event {
            Event::Key(from, to) => {
                key = within(from, to);
                let mut all = NAMES.iter().chain(&CALLS).chain(&BEFORE);
                if all.any(|name| *name == key) {
                    continue;
                }
                false
            }
            Event::Opens(_) => NAMES.contains(&key) || CALLS.contains(&key),
            Event::Text(..) if BEFORE.contains(&key) => continue,
            Event::Text(from, to) => {
                let name = within(from, to);
                NAMES.contains(&key) && (is_known(name, tools) || answers(name))
            }
        };
        return if calls { Sign::Call } else { Sign::Nothing };
    }
    if text.len() > LONGEST {
        Sign::Call
    } else {
        Sign::Unknown
    }
}
