//! Separates a reply into text for the user, control data and tool calls.
//!
//! Example: a reply begins with `<gloss>{"goal_met": true, "confidence": 0.9}</gloss>` and
//! continues in Markdown. A [`ReplyParser`] passes the control block to the agent loop, and shows
//! the Markdown while it arrives. Text that may be the beginning of a control block or a tool call
//! is not shown until more text has arrived. The user thus never sees raw JSON or half a tag.
//!
//! A control block that can't be read gives no control data; the rest of the reply is still shown
//! (SPEC §2). The first control block counts only at the very beginning of the reply, because an
//! answer may mention `<gloss>`. After the first control block, another one counts at the start of
//! any line.
//!
//! `forms` is the table of forms in which models write calls, and `call_parser` parses these forms.
//! `calls` converts parsed JSON to tool calls. `repair` parses JSON, and repairs errors in the JSON
//! with `json_repairer`. `reply_stream` separates a streamed reply, and uses `signs` to find where
//! a block or a call begins.
//!
//! The adapters for the providers handle the providers' own formats. The agent loop retries a call
//! if [`ParsedReply::malformed`] is set.

mod call_parser;
mod calls;
mod control;
mod elements;
mod forms;
mod inline;
mod instructions;
mod json_repairer;
mod repair;
mod reply_stream;
mod signs;
mod tag_escaping;
mod tool_names;
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

/// The maximum number of tokens of the instructions for the reply format. Tool definitions and the
/// task are not included.
pub const REPLY_TOKENS: u32 = 700;

pub use instructions::instructions;
pub use reply_stream::ReplyParser;

pub use control::share;

pub(super) use calls::native_call;
pub(super) use instructions::{REASONING, REASONING_MEANS};
pub(super) use tag_escaping::{escape_tags, escape_tags_in_value};

use super::{Control, ToolCall};

/// The parsed content of a whole reply.
#[derive(Debug, Default, PartialEq)]
pub struct ParsedReply {
    /// The Markdown that was shown to the user.
    pub text: String,
    /// The control data for the loop.
    pub control: Control,
    /// The tool calls that the reply contains as text.
    pub calls: Vec<ToolCall>,
    /// The model's thinking, from its `<think>` tags.
    pub reasoning: String,
    /// A description of the error, if a tool call in the reply can't be read; otherwise `None`.
    pub malformed: Option<String>,
    /// The text of the tool call that can't be read. The user has not seen this text.
    pub written: String,
}

/// Finds the first JSON object or list in a text. Other words or a code fence may precede it.
/// Common errors are repaired, and missing closing brackets are added.
pub fn json_within(text: &str) -> Option<serde_json::Value> {
    let from = text.find(['{', '['])?;
    repair::value(text.get(from..)?).map(|read| read.value)
}

/// Parses the JSON value at the beginning of a text, and repairs common errors. `None` if the value
/// can't be repaired, or if the text ends within a string.
pub(super) fn repaired(text: &str) -> Option<serde_json::Value> {
    repair::whole(text.trim())
}
