//! Builds the body of a request for Chat Completions, as a pure function.

use crate::server::conversation::{CallPart, Conversation, ResultPart, Turn};
use crate::server::rejected_features::{Feature, Shape, temperature};
use crate::server::tool_schema::function;
use crate::{Api, Image, Request};
use gloss_durable::{fields, json::put};
use serde_json::Value;

pub(super) fn body(request: &Request, model: &str, shape: &Shape) -> String {
    let streams = shape.has(Feature::Stream);
    let counts = streams && shape.has(Feature::UsageOption);
    let format = shape.schema(request).map(|wanted| {
        let schema = fields! { "name": wanted.name.clone(), "schema": wanted.schema.clone() };
        fields! { "type": "json_schema", "json_schema": schema }
    });
    let body = fields! {
        "model": model,
        "messages": messages(request, model, shape),
        "stream": streams,
        "tools": shape.tools(request, function),
        "temperature": temperature(request, shape),
        "stream_options": counts.then(|| fields! { "include_usage": true }),
        "response_format": format,
    };
    body.to_string()
}

fn messages(request: &Request, model: &str, shape: &Shape) -> Vec<Value> {
    let said = Conversation::of(request, shape, Api::ChatCompletions, model);
    let role = if shape.has(Feature::DeveloperRole) {
        "developer"
    } else {
        "system"
    };
    let mut messages = vec![fields! { "role": role, "content": said.system }];
    for turn in said.turns {
        match turn {
            Turn::User { text, images } => {
                messages.push(fields! { "role": "user", "content": content(text, &images) });
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
        fields! { "type": "image_url", "image_url": fields! { "url": url } }
    });
    let said = (!text.is_empty()).then(|| fields! { "type": "text", "text": text });
    said.into_iter().chain(shown).collect()
}

fn assistant(text: String, calls: &[CallPart<'_>]) -> Value {
    if calls.is_empty() {
        return fields! { "role": "assistant", "content": text };
    }
    let calls: Vec<Value> = calls.iter().map(call).collect();
    // In a message with calls, an empty text is sent as `null`, as in messages from `OpenAI`.
    let content = (!text.is_empty()).then_some(text);
    let mut message = fields! { "role": "assistant", "tool_calls": calls };
    put(&mut message, "content", content.into());
    message
}

fn call(call: &CallPart<'_>) -> Value {
    fields! {
        "id": call.id,
        "type": "function",
        "function": fields! { "name": call.name, "arguments": call.arguments.to_string() },
    }
}

fn result(given: &ResultPart<'_>) -> Value {
    fields! { "role": "tool", "content": given.content.as_str(), "tool_call_id": given.call }
}
