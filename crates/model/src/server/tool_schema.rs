//! The definitions of tools, as servers expect them.

use crate::ToolDefinition;
use crate::protocol::{REASONING, REASONING_MEANS};
use gloss_durable::fields;
use serde_json::{Map, Value, json};

/// Returns the JSON Schema of a tool's arguments. Gloss adds the argument for the model's reason.
pub fn parameters(tool: &ToolDefinition) -> Value {
    let mut parameters = match &tool.parameters {
        Value::Object(schema) => schema.clone(),
        _ => Map::new(),
    };
    parameters.entry("type").or_insert_with(|| "object".into());
    let properties = parameters.entry("properties").or_insert_with(|| json!({}));
    if let Value::Object(properties) = properties {
        properties.values_mut().for_each(without_patterns);
        let reasoning = || json!({ "type": "string", "description": REASONING_MEANS });
        properties.entry(REASONING).or_insert_with(reasoning);
    }
    let required = parameters.entry("required").or_insert_with(|| json!([]));
    if let Value::Array(required) = required
        && !required.iter().any(|name| name == REASONING)
    {
        required.push(REASONING.into());
    }
    parameters.into()
}

/// Returns a tool's definition, in the format of Chat Completions and Ollama.
pub(super) fn function(tool: &ToolDefinition) -> Value {
    fields! {
        "type": "function",
        "function": fields! {
            "name": tool.name.as_str(),
            "description": tool.description_with_examples(),
            "parameters": parameters(tool),
        },
    }
}

/// Replaces each `pattern` by a minimum length, because llama.cpp rejects patterns without anchors.
fn without_patterns(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if fields.get("pattern").is_some_and(Value::is_string) {
                fields.remove("pattern");
                fields.insert("minLength".to_owned(), 1.into());
            }
            fields.values_mut().for_each(without_patterns);
        }
        Value::Array(items) => items.iter_mut().for_each(without_patterns),
        _ => {}
    }
}
