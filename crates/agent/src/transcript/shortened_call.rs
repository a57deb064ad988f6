//! A call as a model reads it: a long argument by its head.
//!
//! Driving example: 12 000 characters are explained in a window of 8 192 tokens. The call of
//! the button names all of them and the block around them, and runs with that; what a
//! model reads of it is `{"text": "The neap tide […] [m1]", "context": "…"}`, where `m1` is
//! the id of the message that asked.

use crate::config::Goal;
use crate::history::window::head;
use gloss_context::{Context, LARGE_TOKENS};
use gloss_model::phrase::Said;
use gloss_model::{Room, ToolCall};
use gloss_text::tokens::estimate;
use serde_json::Value as Json;

/// What the texts of a call's arguments may cost a model to read: what a result may, too.
const CALL_TOKENS: u32 = LARGE_TOKENS;

/// What stays of a text where they cost more.
const HEAD_TOKENS: u32 = 100;

/// A call for a model to read, in proportion to its window: nothing is cut in silence
/// (DETAILS §9), a text that is too long has its id in `context`.
pub(crate) fn shortened_call(
    call: &ToolCall,
    goal: &Goal,
    room: Room,
    context: &mut Context,
) -> ToolCall {
    let mut arguments = call.arguments.clone();
    let mut left = room.share(CALL_TOKENS);
    shorten_texts(&mut arguments, &mut left, &mut |text| {
        let head = head(text, room.share(HEAD_TOKENS));
        // What was asked about is in the conversation, or is kept already.
        if text == goal.words() && !context.keeps(text) {
            return head.trim_end().to_owned();
        }
        format!("{head}[{}]", context.keep_text(text))
    });
    // A button's own reason is ours, and names what it is about: no model reads it.
    let reasoning = call.reasoning.clone();
    ToolCall {
        arguments,
        reasoning: reasoning.filter(|said| matches!(said, Said::Words(_))),
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
