//! Builds the body of a request for the Responses API, as a pure function.

use crate::server::conversation::{Conversation, Turn};
use crate::server::rejected_features::{Feature, Shape, temperature};
use crate::server::tool_schema::parameters;
use crate::{Api, Image, Request, ToolDefinition};
use gloss_durable::fields;
use serde_json::Value;

pub(super) fn body(request: &Request, model: &str, shape: &Shape) -> String {
    let said = Conversation::of(request, shape, Api::Responses, model);
    let thinks = shape.has(Feature::Reasoning);
    let format = shape.schema(request).map(|wanted| {
        let (name, schema) = (wanted.name.clone(), wanted.schema.clone());
        fields! { "format": fields! { "type": "json_schema", "name": name, "schema": schema } }
    });
    let body = fields! {
        "model": model,
        "instructions": said.system,
        "input": input(&said.turns, shape),
        "store": false,
        "stream": shape.has(Feature::Stream),
        "include": thinks.then(|| vec!["reasoning.encrypted_content"]),
        "temperature": temperature(request, shape),
        "tools": shape.tools(request, tool),
        "text": format,
    };
    body.to_string()
}

fn input(turns: &[Turn<'_>], shape: &Shape) -> Vec<Value> {
    let mut items = Vec::new();
    for turn in turns {
        match turn {
            Turn::User { text, images } => {
                items.push(fields! { "role": "user", "content": user(text, images) });
            }
            Turn::Assistant { text, calls, echo } => {
                let thought = echo.filter(|_| shape.has(Feature::Reasoning));
                let thought = thought.and_then(Value::as_array).into_iter().flatten();
                items.extend(thought.cloned());
                if !text.is_empty() {
                    items.push(fields! { "role": "assistant", "content": text.as_str() });
                }
                items.extend(calls.iter().map(|call| {
                    fields! {
                        "type": "function_call",
                        "call_id": call.id,
                        "name": call.name,
                        "arguments": call.arguments.to_string(),
                    }
                }));
            }
            Turn::Results(given) => items.extend(given.iter().map(|it| {
                fields! {
                    "type": "function_call_output",
                    "call_id": it.call,
                    "output": it.content.as_str(),
                }
            })),
        }
    }
    items
}

fn user(text: &str, images: &[&Image]) -> Vec<Value> {
    let said = (!text.is_empty()).then(|| fields! { "type": "input_text", "text": text });
    let shown = images.iter().map(|image| {
        let url = format!("data:{};base64,{}", image.media_type, image.base64);
        fields! { "type": "input_image", "image_url": url, "detail": "auto" }
    });
    said.into_iter().chain(shown).collect()
}

/// Returns a tool's definition. `strict` is on by default. Gloss turns it off, because Gloss's
/// schemas have optional fields.
fn tool(tool: &ToolDefinition) -> Value {
    fields! {
        "type": "function",
        "name": tool.name.as_str(),
        "description": tool.description_with_examples(),
        "parameters": parameters(tool),
        "strict": false,
    }
}
