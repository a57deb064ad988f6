//! Converts JSON Schema to the subset of `OpenAPI` schemas that Gemini accepts.
//!
//! `$ref`, `not`, `additionalProperties` and other unsupported keywords are left out. The
//! descriptions of the arguments contain the same rules in words. If a schema has several
//! alternatives, only the first is sent: some models reject a field without a single type, and
//! others reject other keywords next to `anyOf`.

use gloss_durable::json;
use serde_json::{Map, Value};

/// Keywords of Gloss's tool schemas that are copied unchanged.
const KEPT: [&str; 8] = [
    "description",
    "maxItems",
    "maxLength",
    "maximum",
    "minItems",
    "minLength",
    "minimum",
    "required",
];

pub(super) fn schema(schema: &Value) -> Value {
    let Value::Object(given) = schema else {
        return Value::Object(Map::new());
    };
    let mut taken = Map::new();
    for (name, value) in given {
        match (name.as_str(), value) {
            ("type", value) => take_type(value, &mut taken),
            ("enum", Value::Array(values)) => take_values(values, &mut taken),
            ("properties", Value::Object(fields)) => {
                let field = |(name, value): (&String, &Value)| (name.clone(), self::schema(value));
                taken.insert(name.clone(), json::object(fields.iter().map(field)));
            }
            ("items", value) => {
                taken.insert(name.clone(), self::schema(value));
            }
            ("anyOf", Value::Array(either)) => take_first(either, &mut taken),
            (name, value) if KEPT.contains(&name) => {
                taken.insert(name.to_owned(), value.clone());
            }
            _ => {}
        }
    }
    taken.into()
}

/// Sets the type, in capital letters. If `null` is also allowed, sets `nullable`.
fn take_type(value: &Value, taken: &mut Map<String, Value>) {
    let types = match value {
        Value::Array(types) => types.as_slice(),
        one => std::slice::from_ref(one),
    };
    for name in types.iter().filter_map(Value::as_str) {
        if name == "null" {
            taken.insert("nullable".to_owned(), true.into());
        } else {
            let name = || name.to_uppercase().into();
            taken.entry("type").or_insert_with(name);
        }
    }
}

/// Uses the first of several alternatives, which is the preferred one. If `null` is also allowed,
/// sets `nullable`.
fn take_first(either: &[Value], taken: &mut Map<String, Value>) {
    let is_null = |form: &&Value| form.get("type").is_some_and(|it| it == "null");
    let (nulls, forms): (Vec<_>, Vec<_>) = either.iter().partition(is_null);
    if !nulls.is_empty() {
        taken.insert("nullable".to_owned(), true.into());
    }
    if let Some(Value::Object(first)) = forms.first().map(|form| schema(form)) {
        for (name, value) in first {
            taken.entry(name).or_insert(value);
        }
    }
}

/// Copies the allowed values except `null`, because `nullable` allows `null`.
fn take_values(values: &[Value], taken: &mut Map<String, Value>) {
    let values = values.iter().filter(|it| !it.is_null()).cloned().collect();
    taken.insert("enum".to_owned(), values);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_gemini_does_not_take_is_left_out() {
        let given = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "query": { "type": "string", "minLength": 1, "format": "uri", "default": "x" },
                "type": { "type": ["null", "integer"], "exclusiveMinimum": 0 },
                "kind": { "type": "string", "enum": ["a", "b"] },
                "maybe": { "type": ["string", "null"], "enum": ["a", "b", null] },
                "all": { "type": "array", "items": { "anyOf": [{ "type": "string" }, { "type": "number" }] } },
                "any": {
                    "description": "Some.",
                    "anyOf": [{ "type": "array", "description": "A.", "items": { "type": "string" } }, { "type": "string" }, { "type": "null" }],
                },
            },
            "required": ["query"],
        });
        let taken = json!({
            "type": "OBJECT",
            "properties": {
                "query": { "type": "STRING", "minLength": 1 },
                "type": { "type": "INTEGER", "nullable": true },
                "kind": { "type": "STRING", "enum": ["a", "b"] },
                "maybe": { "type": "STRING", "nullable": true, "enum": ["a", "b"] },
                "all": { "type": "ARRAY", "items": { "type": "STRING" } },
                "any": { "description": "Some.", "type": "ARRAY", "items": { "type": "STRING" }, "nullable": true },
            },
            "required": ["query"],
        });
        assert_eq!(schema(&given), taken);
        assert_eq!(schema(&json!(true)), json!({}));
    }
}
