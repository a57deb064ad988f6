//! How a model speaks to the loop, apart from the person.
//!
//! Driving example: a reply begins `<gloss>{"goal_met": true, "confidence": 0.9}</gloss>`
//! and goes on in Markdown. A [`Listener`] keeps the block for the loop and shows the
//! Markdown as it comes; what may be the start of a block, or a call written as text,
//! is held back until it is known, so that nobody sees raw JSON or half a tag. A block
//! that is missing or malformed counts as free text (SPEC §2), and so does one that
//! stands anywhere but at the very beginning, as an answer may speak of `<gloss>`; but
//! for one that is written once more at the start of a line.
//!
//! `forms` is the table of forms in which models write calls, `parser` reads them, `calls` makes
//! tool calls of what was read, `repair` reads JSON and mends its slips (`mender`), and
//! `listener` tells apart what streams in, by `signs`.
//!
//! Deliberately absent: how a provider wraps text and native calls (its adapter), and
//! asking again (the loop, by [`Speech::malformed`]).

mod calls;
mod control;
mod defuse;
mod elements;
mod forms;
mod inline;
mod instructions;
mod listener;
mod mender;
mod named;
mod parser;
mod repair;
mod signs;
mod words;

#[cfg(test)]
mod forms_tests;
#[cfg(test)]
mod malformed_tests;
#[cfg(test)]
mod templates_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod withheld_tests;

/// What telling how to reply costs at most, in tokens, the tools and the task apart.
pub const REPLY_TOKENS: u32 = 700;

pub use instructions::instructions;
pub use listener::Listener;

pub use control::share;

pub(super) use calls::native_call;
pub(super) use defuse::{defused, defused_value};
pub(super) use instructions::{REASONING, REASONING_MEANS};

use super::{Control, ToolCall};

/// What was heard in a whole reply.
#[derive(Debug, Default, PartialEq)]
pub struct Speech {
    /// The Markdown for the person: what was shown.
    pub text: String,
    /// What was said to the loop.
    pub control: Control,
    /// The calls that were written as text.
    pub calls: Vec<ToolCall>,
    /// Thinking aloud, in tags of its own.
    pub reasoning: String,
    /// A call was meant and cannot be read: what is wrong with it.
    pub malformed: Option<String>,
    /// What was written of that call, shown to nobody.
    pub written: String,
}

/// The first JSON object or list that stands in a text, behind whatever words and fences:
/// common slips mended, one that is cut off closed.
pub fn json_within(text: &str) -> Option<serde_json::Value> {
    let from = text.find(['{', '['])?;
    repair::value(text.get(from..)?).map(|read| read.value)
}

/// The JSON value that a text begins with, common slips mended; `None` too of one that
/// is cut off within a string.
pub(super) fn repaired(text: &str) -> Option<serde_json::Value> {
    repair::whole(text.trim())
}
