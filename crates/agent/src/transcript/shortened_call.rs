//! A tool call as the model reads it: a long argument is cut to its beginning.
//!
//! Example: a selection of 12 000 characters is explained in a window of 8 192 tokens. The
//! button's call contains the selection and the block of the page around the selection. The tool
//! gets the uncut texts. The model reads `{"text": "The neap tide […] [m1]", "context": "…"}`,
//! where `m1` is the id under which the whole selection is stored.

use crate::config::Goal;
use crate::history::window::head;
use gloss_context::{Context, LARGE_TOKENS};
use gloss_model::phrase::DisplayText;
use gloss_model::{ContextWindow, ToolCall};
use gloss_text::tokens::estimate;
use serde_json::Value as Json;

/// The maximum length of the texts in a call's arguments, in tokens. A tool result has the same
/// limit.
const CALL_TOKENS: u32 = LARGE_TOKENS;

/// The length to which a longer text is cut, in tokens.
const HEAD_TOKENS: u32 = 100;

/// Returns the call as the model reads it. The lengths of the cut arguments depend on the model's
/// window. A cut text ends with the id under which `context` stores the whole text, because Gloss
/// cuts nothing silently (DETAILS §9).
pub(crate) fn shortened_call(
    call: &ToolCall,
    goal: &Goal,
    room: ContextWindow,
    context: &mut Context,
) -> ToolCall {
    let mut arguments = call.arguments.clone();
    let mut left = room.share(CALL_TOKENS);
    shorten_texts(&mut arguments, &mut left, &mut |text| {
        let head = head(text, room.share(HEAD_TOKENS));
        // The goal's text gets no id if the messages contain it in full.
        if text == goal.words() && !context.keeps(text) {
            return head.trim_end().to_owned();
        }
        format!("{head}[{}]", context.keep_text(text))
    });
    // The reason of a button's call is a fixed phrase that repeats the selection, so no model reads
    // it.
    let reasoning = call.reasoning.clone();
    ToolCall {
        arguments,
        reasoning: reasoning.filter(|said| matches!(said, DisplayText::Words(_))),
        ..call.clone()
    }
}

fn shorten_texts(value: &mut Json, left: &mut u32, headed: &mut impl FnMut(&str) -> String) {
    match value {
        Json::String(text) => {
            let cost = estimate(text);
            if cost <= *left {
                *left -= cost;
            } else if cost > HEAD_TOKENS {
                *text = headed(text);
            }
        }
        Json::Array(items) => {
            for item in items {
                shorten_texts(item, left, headed);
            }
        }
        Json::Object(fields) => {
            for field in fields.values_mut() {
                shorten_texts(field, left, headed);
            }
        }
        Json::Null | Json::Bool(_) | Json::Number(_) => {}
    }
}
