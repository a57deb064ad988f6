//! Recognises an object that names one of the tools before the object is complete.
//!
//! Driving example: `{"name": "find_in_page"` after the words of an answer begins a call, which the
//! user must not see; `{"name": "Brest"` is a quote in the answer and is shown at once.

use super::calls::is_known;
use super::inline::answers;
use super::json_repairer::{Event, JsonRepairer};
use super::signs::Sign;
use crate::ToolDefinition;

/// Fields that name the called tool.
const NAMES: [&str; 4] = ["name", "action", "tool", "tool_name"];
/// Fields that contain calls.
const CALLS: [&str; 3] = ["tool_calls", "toolCalls", "function"];
/// Fields that may precede them.
const BEFORE: [&str; 6] = ["id", "type", "thought", "thinking", "reasoning", "plan"];

/// The most bytes to examine; a longer undecided object is held until the reply ends.
const LONGEST: usize = 2_000;

/// The sign of the object at the beginning of `text`: it calls one of these tools, or answers as if
/// by one.
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
