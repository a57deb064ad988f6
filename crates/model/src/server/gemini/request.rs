//! Builds the body of a request for Gemini, as a pure function.

use super::schema::schema;
use crate::server::conversation::{CallPart, Conversation, ResultPart, Turn};
use crate::server::rejected_features::{Feature, Shape, temperature};
use crate::server::tool_schema::parameters;
use crate::{Api, Image, Request, ToolDefinition};
use gloss_durable::fields;
use serde_json::Value;

/// The signature for calls that Gemini did not make, such as a call that a button of the interface
/// made. Google documents this value.
const UNSIGNED: &str = "skip_thought_signature_validator";

pub(super) fn body(request: &Request, model: &str, shape: &Shape) -> String {
    let said = Conversation::of(request, shape, Api::Gemini, model).alternating(request.language);
    let wanted = shape.schema(request);
    let tools = shape.tools(request, tool);
    let body = fields! {
        "systemInstruction": fields! { "parts": vec![fields! { "text": said.system }] },
        "contents": contents(&said.turns, shape),
        "generationConfig": fields! {
            "temperature": temperature(request, shape),
            "responseMimeType": wanted.map(|_| "application/json"),
            "responseSchema": wanted.map(|wanted| schema(&wanted.schema)),
        },
        "tools": tools.map(|tools| vec![fields! { "functionDeclarations": tools }]),
    };
    body.to_string()
}

/// Returns the messages of the request. Tool results form their own turn, because Gemini requires a
/// turn with as many results as calls.
fn contents(turns: &[Turn<'_>], shape: &Shape) -> Vec<Value> {
    let mut noted: Option<&Value> = None;
    let mut contents = Vec::new();
    for turn in turns {
        let (role, parts) = match turn {
            Turn::User { text, images } => ("user", user(text, images)),
            Turn::Assistant { text, calls, echo } => {
                noted = *echo;
                ("model", assistant(text, calls, noted, shape))
            }
            Turn::Results(given) => ("user", given.iter().map(|it| result(it, noted)).collect()),
        };
        contents.push(fields! { "role": role, "parts": parts });
    }
    contents
}

fn words(text: &str) -> Option<Value> {
    (!text.is_empty()).then(|| fields! { "text": text })
}

fn user(text: &str, images: &[&Image]) -> Vec<Value> {
    let shown = images.iter().map(|image| {
        let (kind, data) = (image.media_type.as_str(), image.base64.as_str());
        fields! { "inlineData": fields! { "mimeType": kind, "data": data } }
    });
    shown.chain(words(text)).collect()
}

fn assistant(
    text: &str,
    calls: &[CallPart<'_>],
    noted: Option<&Value>,
    shape: &Shape,
) -> Vec<Value> {
    let mut parts: Vec<Value> = words(text).into_iter().collect();
    for (place, call) in calls.iter().enumerate() {
        let made = fields! {
            "name": call.name,
            "args": call.arguments.clone(),
            "id": is_given(call.id, noted).then_some(call.id),
        };
        let signature = match noted {
            Some(noted) => noted
                .get(call.id)
                .and_then(|it| it.get("thoughtSignature"))
                .cloned(),
            // Gemini expects a signature only on the first call of a step.
            None => (place == 0).then(|| UNSIGNED.into()),
        };
        let signature = signature.filter(|_| shape.has(Feature::Reasoning));
        parts.push(fields! { "functionCall": made, "thoughtSignature": signature });
    }
    parts
}

/// Returns true if Gemini chose the call's id.
fn is_given(id: &str, noted: Option<&Value>) -> bool {
    noted.and_then(|it| it.get(id)?.get("id")).is_some()
}

fn result(given: &ResultPart<'_>, noted: Option<&Value>) -> Value {
    let field = if given.is_error { "error" } else { "output" };
    let response = fields! {
        "name": given.tool,
        "response": fields! { field: given.content.as_str() },
        "id": is_given(given.call, noted).then_some(given.call),
    };
    fields! { "functionResponse": response }
}

fn tool(tool: &ToolDefinition) -> Value {
    fields! {
        "name": tool.name.as_str(),
        "description": tool.description_with_examples(),
        "parameters": schema(&parameters(tool)),
    }
}
