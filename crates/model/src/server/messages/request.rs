//! Builds the body of a request for Messages, as a pure function.
//!
//! The temperature is not sent, because current models reject it. Anthropic's own SDK no longer
//! supports it.

use super::ids::Ids;
use crate::server::conversation::{CallPart, Conversation, ResultPart, Turn};
use crate::server::rejected_features::{Feature, Shape};
use crate::server::tool_schema::parameters;
use crate::{Api, Image, Request, ToolDefinition};
use gloss_durable::{fields, json::put};
use serde_json::Value;

/// The maximum length of a reply in tokens. The API requires such a limit. An answer in the side
/// panel is shorter.
const MOST_TOKENS: u32 = 8_192;
pub(super) fn body(request: &Request, model: &str, shape: &Shape) -> String {
    let said = Conversation::of(request, shape, Api::Messages, model).alternating(request.language);
    let mut messages = messages(&said.turns, shape);
    // The provider caches the messages up to this one. The request of the next step begins with the
    // same messages, so it can read them from the cache.
    let last = messages.last_mut().and_then(|it| it.get_mut("content"));
    if let Some(block) = last
        .and_then(Value::as_array_mut)
        .and_then(|it| it.last_mut())
    {
        put(block, "cache_control", cached());
    }
    let schema = shape.schema(request);
    let body = fields! {
        "model": model,
        "max_tokens": MOST_TOKENS,
        "stream": shape.has(Feature::Stream),
        "system": vec![
            fields! { "type": "text", "text": said.system, "cache_control": cached() },
        ],
        "messages": messages,
        "tools": shape.tools(request, tool),
        "output_config": schema.map(|wanted| fields! {
            "format": fields! { "type": "json_schema", "schema": wanted.schema.clone() },
        }),
    };
    body.to_string()
}

fn cached() -> Value {
    fields! { "type": "ephemeral" }
}

/// Returns the messages of the request. Tool results belong to the user's message, and come before
/// its text.
fn messages(turns: &[Turn<'_>], shape: &Shape) -> Vec<Value> {
    let mut messages: Vec<(&str, Vec<Value>)> = Vec::new();
    let mut ids = Ids::default();
    for turn in turns {
        let (role, blocks) = match turn {
            Turn::User { text, images } => ("user", user(text, images)),
            Turn::Assistant { text, calls, echo } => {
                let echo = echo.filter(|_| shape.has(Feature::Reasoning));
                ids.step();
                ("assistant", assistant(text, calls, echo, &mut ids))
            }
            Turn::Results(given) => ("user", given.iter().map(|it| result(it, &ids)).collect()),
        };
        match messages.last_mut() {
            // The turn contains only white space, so it is left out.
            _ if blocks.is_empty() => {}
            Some((last, before)) if *last == role => before.extend(blocks),
            _ => messages.push((role, blocks)),
        }
    }
    let message = |(role, blocks): (&str, Vec<Value>)| fields! { "role": role, "content": blocks };
    messages.into_iter().map(message).collect()
}

/// Returns the parts of a user's message. Images come before the text, because models understand
/// them better in this order.
fn user(text: &str, images: &[&Image]) -> Vec<Value> {
    let shown = images.iter().map(|image| {
        let (kind, data) = (image.media_type.as_str(), image.base64.as_str());
        let source = fields! { "type": "base64", "media_type": kind, "data": data };
        fields! { "type": "image", "source": source }
    });
    shown.chain(words(text)).collect()
}

/// Returns a block of text. `None` for an empty text, because the server rejects empty blocks.
fn words(text: &str) -> Option<Value> {
    let text = text.trim();
    (!text.is_empty()).then(|| fields! { "type": "text", "text": text })
}

fn assistant<'a>(
    text: &str,
    calls: &[CallPart<'a>],
    echo: Option<&Value>,
    ids: &mut Ids<'a>,
) -> Vec<Value> {
    let thought = echo
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .cloned();
    let mut blocks: Vec<Value> = thought.chain(words(text)).collect();
    for call in calls {
        let id = ids.convert(call.id);
        let input = call.arguments.clone();
        blocks.push(fields! { "type": "tool_use", "id": id, "name": call.name, "input": input });
    }
    blocks
}

fn result(given: &ResultPart<'_>, ids: &Ids<'_>) -> Value {
    let id = ids.answered(given.call).unwrap_or(given.call);
    fields! {
        "type": "tool_result",
        "tool_use_id": id,
        "content": given.content.as_str(),
        "is_error": given.is_error.then_some(true),
    }
}

fn tool(tool: &ToolDefinition) -> Value {
    fields! {
        "name": tool.name.as_str(),
        "description": tool.description_with_examples(),
        "input_schema": parameters(tool),
    }
}
