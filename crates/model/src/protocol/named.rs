//! Whether an object that begins names one of the tools, before it is over.
//!
//! Driving example: behind the words of an answer stands `{"name": "find_in_page"`, and that is a
//! call that nobody sees; `{"name": "Brest"` is what the answer quotes, and is shown as it comes.

use super::calls::canonical;
use super::inline::answers;
use super::mender::{Event, Mender};
use super::signs::Sign;
use crate::ToolDefinition;

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
    let mut mender = Mender::default();
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
