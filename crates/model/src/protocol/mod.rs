//! The format of replies: control data and tool calls, separated from the text for the user.
//!
//! Driving example: a reply begins with `<gloss>{"goal_met": true, "confidence": 0.9}</gloss>` and
//! continues in Markdown. A [`ReplyParser`] keeps the block for the loop and shows the Markdown as it
//! arrives. It holds back text that may begin a block or a tool call, so that the user never sees
//! raw JSON or half a tag. A missing or malformed block is free text (SPEC §2). So is a block that
//! is not at the very beginning, since an answer may mention `<gloss>`; after a first block, one at
//! the start of a line counts.
//!
//! `forms` is the table of forms in which models write calls, `parser` reads them, `calls` converts
//! them to tool calls, `repair` reads JSON and repairs its errors (`mender`), and `listener`
//! separates a streamed reply by its `signs`.
//!
//! Deliberately absent: the providers' formats for text and native calls (their adapters), and
//! retries (the loop, by [`ParsedReply::malformed`]).

mod calls;
mod control;
mod elements;
mod forms;
mod inline;
mod instructions;
mod json_repairer;
mod parser;
mod repair;
mod reply_parser;
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

/// The most tokens that the reply instructions take, without tools and task.
pub const REPLY_TOKENS: u32 = 700;

pub use instructions::instructions;
pub use reply_parser::ReplyParser;

pub use control::share;

pub(super) use calls::native_call;
pub(super) use instructions::{REASONING, REASONING_MEANS};
pub(super) use tag_escaping::{escape_tags, escape_tags_in_value};

use super::{Control, ToolCall};

/// The content of a whole reply.
#[derive(Debug, Default, PartialEq)]
pub struct ParsedReply {
    /// The Markdown that was shown to the user.
    pub text: String,
    /// The control data.
    pub control: Control,
    /// The tool calls written as text.
    pub calls: Vec<ToolCall>,
    /// The model's thinking, from its own tags.
    pub reasoning: String,
    /// The error in a tool call that can't be read.
    pub malformed: Option<String>,
    /// The text of that call, which was not shown.
    pub written: String,
}

/// The first JSON object or list in a text, after any words and fences. Common errors are repaired,
/// and a value that is cut off is closed.
pub fn json_within(text: &str) -> Option<serde_json::Value> {
    let from = text.find(['{', '['])?;
    repair::value(text.get(from..)?).map(|read| read.value)
}

/// The JSON value at the beginning of a text, with common errors repaired; `None` also for a value
/// that is cut off within a string.
pub(super) fn repaired(text: &str) -> Option<serde_json::Value> {
    repair::whole(text.trim())
}
