//! JSON of any shape, read with patience: what is missing or of another form than it
//! should have is nothing, and spoils nothing beside it.
//!
//! Driving example: `{"type": "response.output_text.delta", "delta": "潮"}`. Strings are
//! lent from the text wherever they hold no escapes; one type reads the events of every
//! dialect, so that the worker stays small.

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::borrow::Cow;
use std::fmt;

/// Most objects of an event hold fewer fields.
const FIELDS: usize = 8;

static NOTHING: Json<'static> = Json::Null;

/// A value.
#[derive(Debug)]
pub(super) enum Json<'a> {
    Null,
    Bool(bool),
    Number(Number),
    Text(Cow<'a, str>),
    List(Vec<Json<'a>>),
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
}

impl<'a> Json<'a> {
    /// Reads an object; `None` if the text is none.
    pub(super) fn object(text: &'a str) -> Option<Self> {
        serde_json::from_str(text).ok().filter(Self::is_object)
    }

    pub(super) fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }

    /// A field; null if there is none.
    pub(super) fn at(&self, name: &str) -> &Json<'a> {
        let Self::Object(fields) = self else {
            return &NOTHING;
        };
        let found = fields.iter().find(|(field, _)| field == name);
        found.map_or(&NOTHING, |(_, value)| value)
    }

    /// Whether it has a field that is not null.
    pub(super) fn has(&self, name: &str) -> bool {
        !matches!(self.at(name), Self::Null)
    }

    /// A field's text; empty if it is none.
    pub(super) fn text(&self, name: &str) -> &str {
        match self.at(name) {
            Self::Text(text) => text,
            _ => "",
        }
    }

    /// The same, if it is lent from what was read.
    pub(super) fn lent(&self, name: &str) -> Option<&'a str> {
        match self.at(name) {
            Self::Text(Cow::Borrowed(text)) => Some(text),
            _ => None,
        }
    }

    /// A field's whole number.
    pub(super) fn number(&self, name: &str) -> Option<u32> {
        match self.at(name) {
            Self::Number(number) => u32::try_from(number.as_u64()?).ok(),
            _ => None,
        }
    }

    pub(super) fn is_true(&self, name: &str) -> bool {
        matches!(self.at(name), Self::Bool(true))
    }

    /// A field's elements.
    pub(super) fn list(&self, name: &str) -> &[Json<'a>] {
        match self.at(name) {
            Self::List(elements) => elements,
            _ => &[],
        }
    }

    /// The same, to keep.
    pub(super) fn value(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(it) => Value::Bool(*it),
            Self::Number(number) => Value::Number(number.clone()),
            Self::Text(text) => Value::from(&**text),
            Self::List(elements) => elements.iter().map(Self::value).collect(),
            Self::Object(fields) => {
                let field =
                    |(name, value): &(Cow<'_, str>, Self)| (name.to_string(), value.value());
                fields.iter().map(field).collect::<Map<_, _>>().into()
            }
        }
    }

    /// The arguments of a call as JSON: written out already, or an object.
    pub(super) fn arguments(&self) -> String {
        match self {
            Self::Null => String::new(),
            Self::Text(text) => text.to_string(),
            _ => self.value().to_string(),
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Json<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, it: bool) -> Result<Self::Value, E> {
        Ok(Json::Bool(it))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Json::Number(number.into()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Json::Number(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
        Ok(Number::from_f64(number).map_or(Json::Null, Json::Number))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Json::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Json::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut elements = Vec::new();
        while let Some(element) = list.next_element()? {
            elements.push(element);
        }
        Ok(Json::List(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Self::Value, A::Error> {
        let mut fields = Vec::with_capacity(FIELDS);
        while let Some(name) = object.next_key()? {
            let Json::Text(name) = name else {
                return Err(A::Error::custom("a name is no text"));
            };
            fields.push((name, object.next_value()?));
        }
        Ok(Json::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_read_is_what_was_written() {
        let value = json!({
            "a": [1, -2, 3.5, true, null, "潮\n"],
            "b": { "c": {} },
            "": u64::MAX,
        });
        let text = value.to_string();
        assert_eq!(Json::object(&text).unwrap().value(), value);
    }

    #[test]
    fn a_field_of_another_form_is_nothing() {
        let json = Json::object(r#"{"a": 1, "b": -1, "c": [2], "d": "e", "f": null}"#).unwrap();
        assert_eq!((json.number("a"), json.number("b")), (Some(1), None));
        assert_eq!(
            (json.text("a"), json.text("d"), json.text("x")),
            ("", "e", "")
        );
        assert_eq!((json.list("c").len(), json.list("d").len()), (1, 0));
        assert!(json.has("a") && !json.has("f") && !json.has("x"));
        assert!(json.at("d").at("e").at("f").text("g").is_empty());
        for none in ["", "[]", "1", "null", "{\"a\"", "{\"a\": \"\\ud83d\"}"] {
            assert!(Json::object(none).is_none(), "{none}");
        }
    }

    #[test]
    fn strings_without_escapes_are_lent() {
        let json = Json::object(r#"{"a": "b", "c": "\n"}"#).unwrap();
        assert!(matches!(json.at("a"), Json::Text(Cow::Borrowed("b"))));
        assert!(matches!(json.at("c"), Json::Text(Cow::Owned(_))));
    }
}
