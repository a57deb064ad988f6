//! Builds the body of a request for Gemini, as a pure function.

use super::schema::schema;
use crate::server::conversation::{CallPart, Conversation, ResultPart, Turn, parameters};
use crate::server::rejected_features::{Feature, Shape, temperature};
use crate::{Api, Image, Request, ToolDefinition};
use gloss_durable::json::put;
use serde_json::{Value, json};

/// The signature for calls that Gemini did not make, such as a call that a button of the interface
/// made. Google documents this value.
const UNSIGNED: &str = "skip_thought_signature_validator";

pub(super) fn body(request: &Request, model: &str, shape: &Shape) -> String {
    let said = Conversation::of(request, shape, Api::Gemini, model).alternating(request.language);
    let mut how = json!({});
    if shape.has(Feature::Temperature) {
        put(&mut how, "temperature", temperature(request));
    }
    if let Some(wanted) = shape.schema(request) {
        put(&mut how, "responseMimeType", "application/json".into());
        put(&mut how, "responseSchema", schema(&wanted.schema));
    }
    let mut body = json!({
        "systemInstruction": { "parts": [{ "text": said.system }] },
        "contents": contents(&said.turns, shape),
        "generationConfig": how,
    });
    let tools = shape.tools(request);
    if !tools.is_empty() {
        let tools: Vec<Value> = tools.iter().map(tool).collect();
        put(
            &mut body,
            "tools",
            json!([{ "functionDeclarations": tools }]),
        );
    }
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
        contents.push(json!({ "role": role, "parts": parts }));
    }
    contents
}

fn words(text: &str) -> Option<Value> {
    (!text.is_empty()).then(|| json!({ "text": text }))
}

fn user(text: &str, images: &[&Image]) -> Vec<Value> {
    let shown = images.iter().map(
        |image| json!({ "inlineData": { "mimeType": image.media_type, "data": image.base64 } }),
    );
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
        let mut made = json!({ "name": call.name, "args": call.arguments });
        if is_given(call.id, noted) {
            put(&mut made, "id", call.id.into());
        }
        let mut part = json!({ "functionCall": made });
        let signature = match noted {
            Some(noted) => noted
                .get(call.id)
                .and_then(|it| it.get("thoughtSignature"))
                .cloned(),
            // Gemini expects a signature only on the first call of a step.
            None => (place == 0).then(|| UNSIGNED.into()),
        };
        if let Some(signature) = signature.filter(|_| shape.has(Feature::Reasoning)) {
            put(&mut part, "thoughtSignature", signature);
        }
        parts.push(part);
    }
    parts
}

/// Returns true if Gemini chose the call's id.
fn is_given(id: &str, noted: Option<&Value>) -> bool {
    noted.and_then(|it| it.get(id)?.get("id")).is_some()
}

fn result(given: &ResultPart<'_>, noted: Option<&Value>) -> Value {
    let field = if given.is_error { "error" } else { "output" };
    let mut response = json!({ "name": given.tool, "response": { field: given.content } });
    if is_given(given.call, noted) {
        put(&mut response, "id", given.call.into());
    }
    json!({ "functionResponse": response })
}

fn tool(tool: &ToolDefinition) -> Value {
    json!({
        "name": tool.name,
        "description": tool.description_with_examples(),
        "parameters": schema(&parameters(tool)),
    })
}
