//! Lenient access to JSON fields. A field that is missing or has another type is read as an empty
//! value. Such a field does not affect other fields.
//!
//! Example: in `{"type": "response.output_text.delta", "delta": "潮"}`, `text("delta")` is
//! `"潮"`, and `text("id")` is empty.

use serde_json::Value;

/// Parses a JSON object; `None` for any other text.
pub(super) fn object(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok().filter(Value::is_object)
}

pub(super) trait Fields {
    /// Returns the value of a field; `null` if the field is missing.
    fn at(&self, name: &str) -> &Value;

    /// Returns the elements of a field; empty if the field is not a list.
    fn list(&self, name: &str) -> &[Value] {
        self.at(name).as_array().map_or(&[], Vec::as_slice)
    }

    /// Returns the text of a field; empty if the field is not a string.
    fn text(&self, name: &str) -> &str {
        self.at(name).as_str().unwrap_or_default()
    }

    /// Returns the whole number in a field. `None` if the field has another type or does not fit
    /// into 32 bits.
    fn number(&self, name: &str) -> Option<u32> {
        u32::try_from(self.at(name).as_u64()?).ok()
    }

    fn is_true(&self, name: &str) -> bool {
        self.at(name).as_bool() == Some(true)
    }

    /// Returns true if the object has this field and the field is not null.
    fn has(&self, name: &str) -> bool {
        !self.at(name).is_null()
    }
}

impl Fields for Value {
    fn at(&self, name: &str) -> &Value {
        self.get(name).unwrap_or(&Value::Null)
    }
}

/// Returns the arguments of a call as JSON text. Some servers send them as text, others as an
/// object.
pub(super) fn arguments(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_of_another_form_is_nothing() {
        let json = object(r#"{"a": 1, "b": -1, "c": [2], "d": "e", "f": null}"#).unwrap();
        assert_eq!((json.number("a"), json.number("b")), (Some(1), None));
        assert_eq!(
            (json.text("a"), json.text("d"), json.text("x")),
            ("", "e", "")
        );
        assert_eq!((json.list("c").len(), json.list("d").len()), (1, 0));
        assert!(json.has("a") && !json.has("f") && !json.has("x"));
        assert!(json.at("d").at("e").at("f").text("g").is_empty());
        for none in ["", "[]", "1", "null", "{\"a\"", "{\"a\": \"\\ud83d\"}"] {
            assert!(object(none).is_none(), "{none}");
        }
    }
}
