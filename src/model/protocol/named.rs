//! Whether an object that begins names one of the tools, before it is over.
//!
//! Driving example: behind the words of an answer stands `{"name": "find_in_page"`, and that is a
//! call that nobody sees; `{"name": "Brest"` is what the answer quotes, and is shown as it comes.

use super::calls::canonical;
use super::inline::answers;
use super::signs::Sign;
use crate::model::ToolDefinition;

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

/// What a name is that may go on.
pub(super) fn begun(name: &str, tools: &[ToolDefinition]) -> Sign {
    let begins = tools.iter().any(|tool| tool.name.starts_with(name));
    if begins || is_known(name, tools) {
        Sign::Unknown
    } else {
        Sign::Nothing
    }
}

/// Whether the object that `text` begins with calls one of these tools, or answers as if by one.
pub(super) fn sign(text: &str, tools: &[ToolDefinition]) -> Sign {
    let mut rest = text.strip_prefix('{').unwrap_or(text);
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '{'));
        let Some((key, behind)) = word(rest) else {
            return unknown(text);
        };
        if key.is_empty() {
            return Sign::Nothing;
        }
        if behind.is_empty() {
            let mut all = NAMES.iter().chain(&CALLS).chain(&BEFORE);
            return if all.any(|name| name.starts_with(key)) {
                unknown(text)
            } else {
                Sign::Nothing
            };
        }
        let Some(value) = behind.trim_start().strip_prefix([':', '：']) else {
            return if behind.trim().is_empty() {
                unknown(text)
            } else {
                Sign::Nothing
            };
        };
        let value = value.trim_start();
        let opens = value.starts_with(['{', '[']);
        if value.is_empty() {
            let mut all = NAMES.iter().chain(&CALLS).chain(&BEFORE);
            return if all.any(|name| *name == key) {
                unknown(text)
            } else {
                Sign::Nothing
            };
        }
        if CALLS.contains(&key) || (NAMES.contains(&key) && opens) {
            return if opens { Sign::Call } else { Sign::Nothing };
        }
        if opens {
            return Sign::Nothing;
        }
        let Some((said, behind)) = word(value) else {
            return unknown(text);
        };
        if NAMES.contains(&key) {
            return match behind {
                // Without quotes it may go on.
                "" if said.len() == value.len() => begun(said, tools),
                _ if is_known(said, tools) || answers(said) => Sign::Call,
                _ => Sign::Nothing,
            };
        }
        if !BEFORE.contains(&key) {
            return Sign::Nothing;
        }
        rest = behind;
    }
}

fn unknown(text: &str) -> Sign {
    if text.len() > LONGEST {
        Sign::Call
    } else {
        Sign::Unknown
    }
}

/// The word that a text begins with, in quotes or not, and what stands behind it; `None` while
/// its quotes are open, or before it begins.
fn word(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next()?;
    let close = match quote {
        '"' | '\'' | '`' => quote,
        '“' => '”',
        _ => {
            let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
            let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
            return text.split_at_checked(end);
        }
    };
    let inside = text.get(quote.len_utf8()..)?;
    let mut escaped = false;
    let end = inside.char_indices().find(|(_, c)| {
        let ends = *c == close && !escaped;
        escaped = *c == '\\' && !escaped;
        ends
    });
    let (end, _) = end?;
    Some((inside.get(..end)?, inside.get(end + close.len_utf8()..)?))
}
