//! JSON Schema in the part of it that Gemini takes, which is `OpenAPI`'s.
//!
//! Deliberately absent: `$ref`, `not`, `additionalProperties` and whatever else it
//! refuses: the model reads what they would have said in the descriptions.

use serde_json::{Map, Value};

/// Taken as they are.
const KEPT: [&str; 13] = [
    "description",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "nullable",
    "pattern",
    "required",
    "title",
];

/// The schema.
pub(super) fn schema(schema: &Value) -> Value {
    let Value::Object(given) = schema else {
        return Value::Object(Map::new());
    };
    let mut taken = Map::new();
    for (name, value) in given {
        match (name.as_str(), value) {
            ("type", value) => take_type(value, &mut taken),
            ("enum", Value::Array(values)) => take_values(values, &mut taken),
            ("const", value) => take_values(std::slice::from_ref(value), &mut taken),
            ("properties", Value::Object(fields)) => {
                let field = |(name, value): (&String, &Value)| (name.clone(), self::schema(value));
                let fields: Map<String, Value> = fields.iter().map(field).collect();
                taken.insert(name.clone(), fields.into());
            }
            ("items", value) => {
                taken.insert(name.clone(), self::schema(value));
            }
            ("anyOf" | "oneOf", Value::Array(either)) => {
                let either: Vec<Value> = either.iter().map(self::schema).collect();
                taken.insert("anyOf".to_owned(), either.into());
            }
            (name, value) if KEPT.contains(&name) => {
                taken.insert(name.to_owned(), value.clone());
            }
            _ => {}
        }
    }
    // What has values to choose from, and no type, is a text.
    if taken.contains_key("enum") {
        taken.entry("type").or_insert_with(|| "STRING".into());
    }
    taken.into()
}

/// One type, in capitals; `null` beside it is a word of its own.
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

/// Only texts can be chosen from.
fn take_values(values: &[Value], taken: &mut Map<String, Value>) {
    if !values.is_empty() && values.iter().all(Value::is_string) {
        taken.insert("enum".to_owned(), values.into());
    }
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
                "kind": { "enum": ["a", "b"] },
                "only": { "const": "a" },
                "number": { "type": "integer", "enum": [1, 2] },
                "all": { "type": "array", "items": { "oneOf": [{ "type": "string" }, { "type": "number" }] } },
            },
            "required": ["query"],
        });
        let taken = json!({
            "type": "OBJECT",
            "properties": {
                "query": { "type": "STRING", "minLength": 1 },
                "type": { "type": "INTEGER", "nullable": true },
                "kind": { "type": "STRING", "enum": ["a", "b"] },
                "only": { "type": "STRING", "enum": ["a"] },
                "number": { "type": "INTEGER" },
                "all": { "type": "ARRAY", "items": { "anyOf": [{ "type": "STRING" }, { "type": "NUMBER" }] } },
            },
            "required": ["query"],
        });
        assert_eq!(schema(&given), taken);
        assert_eq!(schema(&json!(true)), json!({}));
    }
}
