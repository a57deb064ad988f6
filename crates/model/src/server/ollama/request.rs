//! Builds the body of a request for Ollama, as a pure function.

use crate::server::conversation::{CallPart, Conversation, ResultPart, Turn, function};
use crate::server::rejected_features::{Feature, Shape, temperature};
use crate::{Api, Request};
use gloss_durable::json::put;
use serde_json::{Value, json};

/// The context window that is requested if the model's own window is unknown, in tokens. By
/// default, Ollama uses 4 096 tokens. It silently drops the start of a longer prompt, which
/// contains the instructions. The text of a page alone may have 12 000 tokens. Ollama never uses a
/// larger window than the model supports.
const WINDOW_TOKENS: u32 = 32_768;

pub(super) fn body(request: &Request, model: &str, shape: &Shape) -> String {
    let said = Conversation::of(request, shape, Api::Ollama, model);
    let mut options = json!({ "num_ctx": shape.window.unwrap_or(WINDOW_TOKENS) });
    if shape.has(Feature::Temperature) {
        put(&mut options, "temperature", temperature(request));
    }
    let mut messages = vec![json!({ "role": "system", "content": said.system })];
    for turn in &said.turns {
        messages.extend(turn_messages(turn, shape));
    }
    let mut body = json!({
        "model": model,
        "messages": messages,
        "stream": shape.has(Feature::Stream),
        "options": options,
    });
    let tools = shape.tools(request);
    if !tools.is_empty() {
        put(&mut body, "tools", tools.iter().map(function).collect());
    }
    if let Some(wanted) = shape.schema(request) {
        put(&mut body, "format", wanted.schema.clone());
    }
    body.to_string()
}

fn turn_messages(turn: &Turn<'_>, shape: &Shape) -> Vec<Value> {
    match turn {
        Turn::User { text, images } => {
            let mut message = json!({ "role": "user", "content": text });
            if !images.is_empty() {
                let images = images
                    .iter()
                    .map(|image| Value::from(image.base64.as_str()));
                put(&mut message, "images", images.collect());
            }
            vec![message]
        }
        Turn::Assistant { text, calls, echo } => {
            let mut message = json!({ "role": "assistant", "content": text });
            if !calls.is_empty() {
                put(&mut message, "tool_calls", calls.iter().map(call).collect());
            }
            if let Some(thought) = echo.filter(|_| shape.has(Feature::Reasoning)) {
                put(&mut message, "thinking", thought.clone());
            }
            vec![message]
        }
        Turn::Results(given) => {
            let result = |it: &ResultPart<'_>| json!({ "role": "tool", "content": it.content, "tool_name": it.tool });
            given.iter().map(result).collect()
        }
    }
}

fn call(call: &CallPart<'_>) -> Value {
    json!({ "function": { "name": call.name, "arguments": call.arguments } })
}
