//! Builds the body of a request for the Responses API, as a pure function.

use crate::server::conversation::{Conversation, Turn, parameters};
use crate::server::rejected_features::{Feature, Shape, temperature};
use crate::{Api, Image, Request, ToolDefinition};
use gloss_durable::json::put;
use serde_json::{Value, json};

pub(super) fn body(request: &Request, model: &str, shape: &Shape) -> String {
    let said = Conversation::of(request, shape, Api::Responses, model);
    let mut body = json!({
        "model": model,
        "instructions": said.system,
        "input": input(&said.turns, shape),
        "store": false,
        "stream": shape.has(Feature::Stream),
    });
    if shape.has(Feature::Reasoning) {
        put(&mut body, "include", json!(["reasoning.encrypted_content"]));
    }
    if shape.has(Feature::Temperature) {
        put(&mut body, "temperature", temperature(request));
    }
    let tools = shape.tools(request);
    if !tools.is_empty() {
        put(&mut body, "tools", tools.iter().map(tool).collect());
    }
    if let Some(wanted) = shape.schema(request) {
        let format = json!({ "type": "json_schema", "name": wanted.name, "schema": wanted.schema });
        put(&mut body, "text", json!({ "format": format }));
    }
    body.to_string()
}

fn input(turns: &[Turn<'_>], shape: &Shape) -> Vec<Value> {
    let mut items = Vec::new();
    for turn in turns {
        match turn {
            Turn::User { text, images } => {
                items.push(json!({ "role": "user", "content": user(text, images) }));
            }
            Turn::Assistant { text, calls, echo } => {
                let thought = echo.filter(|_| shape.has(Feature::Reasoning));
                let thought = thought.and_then(Value::as_array).into_iter().flatten();
                items.extend(thought.cloned());
                if !text.is_empty() {
                    items.push(json!({ "role": "assistant", "content": text }));
                }
                items.extend(calls.iter().map(|call| {
                    json!({
                        "type": "function_call",
                        "call_id": call.id,
                        "name": call.name,
                        "arguments": call.arguments.to_string(),
                    })
                }));
            }
            Turn::Results(given) => items.extend(given.iter().map(|it| {
                json!({
                    "type": "function_call_output",
                    "call_id": it.call,
                    "output": it.content,
                })
            })),
        }
    }
    items
}

fn user(text: &str, images: &[&Image]) -> Vec<Value> {
    let said = (!text.is_empty()).then(|| json!({ "type": "input_text", "text": text }));
    let shown = images.iter().map(|image| {
        let url = format!("data:{};base64,{}", image.media_type, image.base64);
        json!({ "type": "input_image", "image_url": url, "detail": "auto" })
    });
    said.into_iter().chain(shown).collect()
}

/// Returns a tool's definition. `strict` is on by default. Gloss turns it off, because Gloss's
/// schemas have optional fields.
fn tool(tool: &ToolDefinition) -> Value {
    json!({
        "type": "function",
        "name": tool.name,
        "description": tool.description_with_examples(),
        "parameters": parameters(tool),
        "strict": false,
    })
}
