//! Builds the body of a request for Ollama, as a pure function.

use crate::server::conversation::{CallPart, Conversation, ResultPart, Turn};
use crate::server::rejected_features::{Feature, Shape, temperature};
use crate::server::tool_schema::function;
use crate::{Api, Request};
use gloss_durable::fields;
use serde_json::Value;

/// The context window that is requested if the model's own window is unknown, in tokens. By
/// default, Ollama uses 4 096 tokens. It silently drops the start of a longer prompt, which
/// contains the instructions. The text of a page alone may have 12 000 tokens. Ollama never uses a
/// larger window than the model supports.
const WINDOW_TOKENS: u32 = 32_768;

pub(super) fn body(request: &Request, model: &str, shape: &Shape) -> String {
    let said = Conversation::of(request, shape, Api::Ollama, model);
    let mut messages = vec![fields! { "role": "system", "content": said.system }];
    for turn in &said.turns {
        messages.extend(turn_messages(turn, shape));
    }
    let body = fields! {
        "model": model,
        "messages": messages,
        "stream": shape.has(Feature::Stream),
        "options": fields! {
            "num_ctx": shape.window.unwrap_or(WINDOW_TOKENS),
            "temperature": temperature(request, shape),
        },
        "tools": shape.tools(request, function),
        "format": shape.schema(request).map(|wanted| wanted.schema.clone()),
    };
    body.to_string()
}

fn turn_messages(turn: &Turn<'_>, shape: &Shape) -> Vec<Value> {
    match turn {
        Turn::User { text, images } => {
            let images: Vec<_> = images.iter().map(|it| it.base64.as_str()).collect();
            let images = (!images.is_empty()).then_some(images);
            vec![fields! { "role": "user", "content": text.as_str(), "images": images }]
        }
        Turn::Assistant { text, calls, echo } => {
            let calls: Vec<Value> = calls.iter().map(call).collect();
            vec![fields! {
                "role": "assistant",
                "content": text.as_str(),
                "tool_calls": (!calls.is_empty()).then_some(calls),
                "thinking": echo.filter(|_| shape.has(Feature::Reasoning)).cloned(),
            }]
        }
        Turn::Results(given) => given.iter().map(result).collect(),
    }
}

fn result(it: &ResultPart<'_>) -> Value {
    fields! { "role": "tool", "content": it.content.as_str(), "tool_name": it.tool }
}

fn call(call: &CallPart<'_>) -> Value {
    fields! { "function": fields! { "name": call.name, "arguments": call.arguments.clone() } }
}
