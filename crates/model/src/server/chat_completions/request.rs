//! Builds the body of a request for Chat Completions, as a pure function.

use crate::server::conversation::{CallPart, Conversation, ResultPart, Turn, function};
use crate::server::rejected_features::{Feature, Shape, temperature};
use crate::{Api, Image, Request};
use gloss_durable::json::put;
use serde_json::{Value, json};

pub(super) fn body(request: &Request, model: &str, shape: &Shape) -> String {
    let streams = shape.has(Feature::Stream);
    let mut body = json!({
        "model": model,
        "messages": messages(request, model, shape),
        "stream": streams,
    });
    let tools = shape.tools(request);
    if !tools.is_empty() {
        put(&mut body, "tools", tools.iter().map(function).collect());
    }
    if shape.has(Feature::Temperature) {
        put(&mut body, "temperature", temperature(request));
    }
    if streams && shape.has(Feature::UsageOption) {
        put(
            &mut body,
            "stream_options",
            json!({ "include_usage": true }),
        );
    }
    if let Some(wanted) = shape.schema(request) {
        let schema = json!({ "name": wanted.name, "schema": wanted.schema });
        let format = json!({ "type": "json_schema", "json_schema": schema });
        put(&mut body, "response_format", format);
    }
    body.to_string()
}

fn messages(request: &Request, model: &str, shape: &Shape) -> Vec<Value> {
    let said = Conversation::of(request, shape, Api::ChatCompletions, model);
    let role = if shape.has(Feature::DeveloperRole) {
        "developer"
    } else {
        "system"
    };
    let mut messages = vec![json!({ "role": role, "content": said.system })];
    for turn in said.turns {
        match turn {
            Turn::User { text, images } => {
                messages.push(json!({ "role": "user", "content": content(text, &images) }));
            }
            Turn::Assistant { text, calls, echo } => {
                let mut message = assistant(text, &calls);
                let thought = echo.filter(|it| it.is_string() && shape.has(Feature::Reasoning));
                if let Some(thought) = thought {
                    put(&mut message, "reasoning_content", thought.clone());
                }
                messages.push(message);
            }
            Turn::Results(given) => messages.extend(given.iter().map(result)),
        }
    }
    messages
}

/// Returns the content of a message. Text without images is sent as a string, because not every
/// server accepts a list of parts.
fn content(text: String, images: &[&Image]) -> Value {
    if images.is_empty() {
        return text.into();
    }
    let shown = images.iter().map(|image| {
        let url = format!("data:{};base64,{}", image.media_type, image.base64);
        json!({ "type": "image_url", "image_url": { "url": url } })
    });
    let said = (!text.is_empty()).then(|| json!({ "type": "text", "text": text }));
    said.into_iter().chain(shown).collect()
}

fn assistant(text: String, calls: &[CallPart<'_>]) -> Value {
    if calls.is_empty() {
        return json!({ "role": "assistant", "content": text });
    }
    let calls: Vec<Value> = calls.iter().map(call).collect();
    // In a message with calls, an empty text is sent as `null`, as in messages from `OpenAI`.
    let content = (!text.is_empty()).then_some(text);
    json!({ "role": "assistant", "content": content, "tool_calls": calls })
}

fn call(call: &CallPart<'_>) -> Value {
    json!({
        "id": call.id,
        "type": "function",
        "function": { "name": call.name, "arguments": call.arguments.to_string() },
    })
}

fn result(given: &ResultPart<'_>) -> Value {
    json!({ "role": "tool", "content": given.content, "tool_call_id": given.call })
}
