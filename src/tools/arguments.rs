//! Arguments into Rust types, with errors that name the field.

use super::ToolError;
use crate::model::ToolCall;
use serde_json::Value;

/// A required, non-empty text.
pub(super) fn text(call: &ToolCall, field: &str) -> Result<String, ToolError> {
    match call.arguments.get(field) {
        Some(Value::String(text)) if !text.trim().is_empty() => Ok(text.trim().to_owned()),
        other => Err(invalid(field, "a text that is not empty", other)),
    }
}

/// An optional choice; absent is the first.
pub(super) fn choice<'a>(
    call: &ToolCall,
    field: &str,
    choices: &[&'a str],
) -> Result<&'a str, ToolError> {
    let expected = || format!("one of {}", choices.join(", "));
    match call.arguments.get(field) {
        None | Some(Value::Null) => choices
            .first()
            .copied()
            .ok_or_else(|| invalid(field, &expected(), None)),
        Some(Value::String(text)) => choices
            .iter()
            .find(|choice| *choice == text)
            .copied()
            .ok_or_else(|| invalid(field, &expected(), call.arguments.get(field))),
        other => Err(invalid(field, &expected(), other)),
    }
}

/// An optional text; empty counts as absent.
pub(super) fn optional_text(call: &ToolCall, field: &str) -> Result<Option<String>, ToolError> {
    match call.arguments.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => {
            let text = text.trim();
            Ok((!text.is_empty()).then(|| text.to_owned()))
        }
        other => Err(invalid(field, "a text", other)),
    }
}

fn invalid(field: &str, expected: &str, got: Option<&Value>) -> ToolError {
    let got = match got {
        None => "nothing".to_owned(),
        Some(value) => value.to_string().chars().take(80).collect(),
    };
    ToolError::Invalid {
        field: field.to_owned(),
        expected: expected.to_owned(),
        got,
    }
}
