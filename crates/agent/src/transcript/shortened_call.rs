//! A call as a model reads it: a long argument is cut to its beginning.
//!
//! Driving example: a selection of 12 000 characters is explained in a window of 8 192 tokens. The
//! button's call contains the selection and the block around it, and runs with both. The model
//! reads `{"text": "The neap tide […] [m1]", "context": "…"}`, where `m1` is the id of the message
//! with the request.

use crate::config::Goal;
use crate::history::window::head;
use gloss_context::{Context, LARGE_TOKENS};
use gloss_model::phrase::DisplayText;
use gloss_model::{ContextWindow, ToolCall};
use gloss_text::tokens::estimate;
use serde_json::Value as Json;

/// The most tokens for the texts in a call's arguments, the same as for a result.
const CALL_TOKENS: u32 = LARGE_TOKENS;

/// The length to which longer texts are cut, in tokens.
const HEAD_TOKENS: u32 = 100;

/// Returns a call for a model to read, in proportion to its window. A cut is never silent
/// (DETAILS §9): a text that is too long has its id in `context`.
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
        // The requested text is in the conversation, or was stored before.
        if text == goal.words() && !context.keeps(text) {
            return head.trim_end().to_owned();
        }
        format!("{head}[{}]", context.keep_text(text))
    });
    // A button's reason is a fixed phrase that repeats the selection: no model reads it.
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
