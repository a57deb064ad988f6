//! A request in Chat Completions' form: pure, from what is asked to the body's JSON.

use crate::server::conversation::{Called, Conversation, Given, Turn, parameters};
use crate::server::request::{Feature, Shape, put};
use crate::{Api, Calling, Image, Request, Schema, ToolDefinition};
use serde::Serialize;
use serde_json::{Value, json};

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: Vec<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f32>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<Value>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

/// The body's JSON.
pub(super) fn body(request: &Request, model: &str, shape: &Shape) -> String {
    let streams = shape.has(Feature::Stream);
    let tools = match shape.calling() {
        Calling::Native => request.tools.offered().iter().map(tool).collect(),
        Calling::Text => Vec::new(),
    };
    let schema = request.schema.as_deref();
    let body = Body {
        model,
        messages: messages(request, model, shape),
        tools,
        temperature: shape
            .has(Feature::Temperature)
            .then_some(request.temperature),
        stream: streams,
        stream_options: (streams && shape.has(Feature::UsageOption)).then_some(StreamOptions {
            include_usage: true,
        }),
        response_format: schema
            .filter(|_| shape.has(Feature::Schema))
            .map(response_format),
    };
    serde_json::to_string(&body).unwrap_or_default()
}

fn response_format(schema: &Schema) -> Value {
    json!({
        "type": "json_schema",
        "json_schema": { "name": schema.name, "schema": schema.schema },
    })
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

/// A text alone is a string: not every server takes parts.
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

fn assistant(text: String, calls: &[Called<'_>]) -> Value {
    if calls.is_empty() {
        return json!({ "role": "assistant", "content": text });
    }
    let calls: Vec<Value> = calls.iter().map(call).collect();
    // Null beside calls, as the provider itself sends it.
    let content = (!text.is_empty()).then_some(text);
    json!({ "role": "assistant", "content": content, "tool_calls": calls })
}

fn call(call: &Called<'_>) -> Value {
    json!({
        "id": call.id,
        "type": "function",
        "function": { "name": call.name, "arguments": call.arguments.to_string() },
    })
}

fn result(given: &Given<'_>) -> Value {
    json!({ "role": "tool", "content": given.content, "tool_call_id": given.call })
}

fn tool(tool: &ToolDefinition) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.told(),
            "parameters": parameters(tool),
        },
    })
}
