//! A call as it stands before a model: what is long in its arguments by its head.
//!
//! Driving example: 12 000 characters are explained in a window of 8 192 tokens. The call of
//! the button names all of them and the block they stand in, and runs with that; what a
//! model reads of it is `{"text": "The neap tide […] [m1]", "context": "…"}`, where `m1` is
//! what the message that asked is kept as.

use super::Said;
use super::desk::Desk;
use super::history::head;
use crate::context::LARGE_TOKENS;
use crate::model::ToolCall;
use crate::text::tokens::estimate;
use serde_json::Value as Json;

/// What the texts of a call's arguments may cost a model to read: what a result may, too.
const CALL_TOKENS: u32 = LARGE_TOKENS;

/// What stays of a text where they cost more.
const HEAD_TOKENS: u32 = 100;

impl Desk {
    /// A call for a model to read, in proportion to its window: nothing is cut in silence
    /// (DETAILS §9), a text that is too long has its id.
    pub(super) fn laid_out(&mut self, call: &ToolCall) -> ToolCall {
        let mut arguments = call.arguments.clone();
        let mut left = self.answering.room.share(CALL_TOKENS);
        self.shorten_texts(&mut arguments, &mut left);
        // A button's own reason is ours, and names what it is about: no model is told it.
        let reasoning = call.reasoning.clone();
        ToolCall {
            arguments,
            reasoning: reasoning.filter(|said| matches!(said, Said::Words(_))),
            ..call.clone()
        }
    }

    fn shorten_texts(&mut self, value: &mut Json, left: &mut u32) {
        match value {
            Json::String(text) => {
                let cost = estimate(text);
                if cost <= *left {
                    *left -= cost;
                } else if cost > HEAD_TOKENS {
                    *text = self.headed(text);
                }
            }
            Json::Array(items) => {
                for item in items {
                    self.shorten_texts(item, left);
                }
            }
            Json::Object(fields) => {
                for field in fields.values_mut() {
                    self.shorten_texts(field, left);
                }
            }
            Json::Null | Json::Bool(_) | Json::Number(_) => {}
        }
    }

    fn headed(&mut self, text: &str) -> String {
        let head = head(text, self.answering.room.share(HEAD_TOKENS));
        // What was asked about stands in the conversation, or is kept already.
        let is_shown = text == self.brief.goal.words() && !self.context.keeps(text);
        if is_shown {
            return head.trim_end().to_owned();
        }
        let id = self.context.keep_text(text);
        format!("{head}[{id}]")
    }
}
