//! Arguments of tools as types. One type defines the JSON Schema and the parser, so that a tool
//! accepts exactly the arguments that its schema describes (Properties 4 and 5).
//!
//! Example: `arguments! { struct Find { /// What to look for. query: String } }` makes a
//! schema with a required, non-empty `query`. `Find::read` of `{"query": 7}` returns an error which
//! says that 7 is not a non-empty text. The types parse JSON themselves, because a complete JSON
//! Schema validator would be larger than all tools together. Only the tests contain a validator, and
//! check that it accepts the same values as these types.

use super::ToolError;
use gloss_durable::fields;
use serde_json::{Map, Value};

/// The maximum number of characters of a wrong value that an error shows.
const SHOWN: usize = 80;

/// A type whose values a model writes as JSON.
pub(super) trait Argument: Sized {
    /// True if a field of this type is required in an object.
    const REQUIRED: bool = true;

    /// Returns the JSON Schema of the accepted values.
    fn schema() -> Value;

    /// Returns a description of the accepted values in words.
    fn expected() -> String;

    /// Parses a value.
    ///
    /// # Errors
    /// If the value is not accepted; the error contains the path and the value.
    fn read(value: &Value) -> Result<Self, InvalidArgument>;

    /// Returns the JSON Schema of an optional field of this type.
    fn schema_if_any() -> Value {
        or_null(Self::schema())
    }

    /// Parses the value of an optional field; `null` gives `None`.
    ///
    /// # Errors
    /// For the same reasons as [`Argument::read`].
    fn read_if_any(value: &Value) -> Result<Option<Self>, InvalidArgument> {
        match value {
            Value::Null => Ok(None),
            value => Self::read(value).map(Some),
        }
    }

    /// Returns the value of a missing field.
    ///
    /// # Errors
    /// If the field is required.
    fn absent() -> Result<Self, InvalidArgument> {
        Err(InvalidArgument {
            path: String::new(),
            expected: Self::expected(),
            got: "nothing".to_owned(),
        })
    }
}

fn or_null(mut schema: Value) -> Value {
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.push(Value::Null);
    }
    if let Some(Value::Array(either)) = schema.get_mut("anyOf") {
        either.push(fields! { "type": "null" });
    }
    if let Some(kind) = schema.get_mut("type") {
        *kind = vec![kind.take(), "null".into()].into();
    }
    schema
}

/// The error for a value that the schema does not accept.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct InvalidArgument {
    path: String,
    expected: String,
    got: String,
}

impl InvalidArgument {
    fn of<T: Argument>(value: &Value) -> Self {
        Self::but(T::expected(), value)
    }

    /// Makes an error from a description of the accepted values and the given value.
    pub(super) fn but(expected: String, value: &Value) -> Self {
        Self {
            path: String::new(),
            expected,
            got: value.to_string().chars().take(SHOWN).collect(),
        }
    }

    /// Adds the name or index of the containing field to the start of the error's path:
    /// `[0].content` within `facts` becomes `facts[0].content`.
    pub(super) fn within(mut self, place: &str) -> Self {
        let dot = match self.path.chars().next() {
            None | Some('[') => "",
            Some(_) => ".",
        };
        self.path = format!("{place}{dot}{}", self.path);
        self
    }
}

impl From<InvalidArgument> for ToolError {
    fn from(wrong: InvalidArgument) -> Self {
        let field = if wrong.path.is_empty() {
            "arguments".to_owned()
        } else {
            wrong.path
        };
        Self::Invalid {
            field,
            expected: wrong.expected,
            got: wrong.got,
        }
    }
}

/// Accepts a text that is not blank, and removes the white space around the text.
impl Argument for String {
    fn schema() -> Value {
        fields! { "type": "string", "pattern": r"\S" }
    }

    fn expected() -> String {
        "a text that is not empty".to_owned()
    }

    fn read(value: &Value) -> Result<Self, InvalidArgument> {
        let text = value.as_str().map(trimmed).filter(|it| !it.is_empty());
        text.map(str::to_owned)
            .ok_or_else(|| InvalidArgument::of::<Self>(value))
    }

    /// In an optional field, a blank text counts as missing.
    fn schema_if_any() -> Value {
        fields! { "type": vec!["string", "null"] }
    }

    fn read_if_any(value: &Value) -> Result<Option<Self>, InvalidArgument> {
        match value {
            Value::Null => Ok(None),
            Value::String(text) => Ok(Some(trimmed(text).to_owned()).filter(|it| !it.is_empty())),
            _ => Err(InvalidArgument::but("a text".to_owned(), value)),
        }
    }
}

/// Removes the leading and trailing white space that `\s` matches in patterns of JSON Schema. These
/// patterns are regular expressions of `JavaScript`.
fn trimmed(text: &str) -> &str {
    text.trim_matches(|it: char| it == '\u{feff}' || (it.is_whitespace() && it != '\u{85}'))
}

impl Argument for bool {
    fn schema() -> Value {
        fields! { "type": "boolean" }
    }

    fn expected() -> String {
        "true or false".to_owned()
    }

    fn read(value: &Value) -> Result<Self, InvalidArgument> {
        value
            .as_bool()
            .ok_or_else(|| InvalidArgument::of::<Self>(value))
    }
}

/// Accepts a missing field, `null`, or a value of `T`.
impl<T: Argument> Argument for Option<T> {
    const REQUIRED: bool = false;

    fn schema() -> Value {
        T::schema_if_any()
    }

    fn expected() -> String {
        T::expected()
    }

    fn read(value: &Value) -> Result<Self, InvalidArgument> {
        T::read_if_any(value)
    }

    fn absent() -> Result<Self, InvalidArgument> {
        Ok(None)
    }
}

/// A whole number from `LEAST` to `MOST`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BoundedInteger<const LEAST: i64, const MOST: i64>(pub(super) i64);

impl<const LEAST: i64, const MOST: i64> Argument for BoundedInteger<LEAST, MOST> {
    fn schema() -> Value {
        fields! { "type": "integer", "minimum": LEAST, "maximum": MOST }
    }

    fn expected() -> String {
        format!("a whole number from {LEAST} to {MOST}")
    }

    fn read(value: &Value) -> Result<Self, InvalidArgument> {
        let within = whole_number(value).filter(|it| (LEAST..=MOST).contains(it));
        within
            .map(Self)
            .ok_or_else(|| InvalidArgument::of::<Self>(value))
    }
}

/// The value as a whole number. In JSON Schema, 1.0 is a whole number too.
fn whole_number(value: &Value) -> Option<i64> {
    let whole = || value.as_f64().filter(|it| it.fract() == 0.0);
    value.as_i64().or_else(|| whole().map(|it| it as i64))
}

/// A list of `LEAST` to `MOST` items. Models often write a single item without a list. Such an item
/// is read as a list of one item.
#[derive(Debug)]
pub(super) struct BoundedList<T, const LEAST: usize, const MOST: usize>(pub(super) Vec<T>);

impl<T: Argument, const LEAST: usize, const MOST: usize> Argument for BoundedList<T, LEAST, MOST> {
    fn schema() -> Value {
        list_or_one(&T::schema(), LEAST, MOST)
    }

    fn expected() -> String {
        format!("a list of {LEAST} to {MOST}")
    }

    fn read(value: &Value) -> Result<Self, InvalidArgument> {
        let Value::Array(items) = value else {
            let one = T::read(value).map(|one| Self(vec![one]));
            return one.map_err(|_| InvalidArgument::of::<Self>(value));
        };
        let items = Some(items).filter(|items| (LEAST..=MOST).contains(&items.len()));
        let items = items
            .ok_or_else(|| InvalidArgument::of::<Self>(value))?
            .iter();
        let read = |(place, item)| {
            T::read(item).map_err(|it: InvalidArgument| it.within(&format!("[{place}]")))
        };
        let read: Result<_, _> = items.enumerate().map(read).collect();
        read.map(Self)
    }
}

fn list_or_one(one: &Value, least: usize, most: usize) -> Value {
    let list =
        fields! { "type": "array", "items": one.clone(), "minItems": least, "maxItems": most };
    fields! { "anyOf": vec![list, one.clone()] }
}

/// A JSON object whose fields are looked up by their names in Rust.
pub(super) struct Fields<'v> {
    of: &'v Map<String, Value>,
}

impl<'v> Fields<'v> {
    /// Checks that a value is a JSON object whose fields are all in `known`.
    ///
    /// # Errors
    /// If the value is not an object, or has a field that is not in `known`.
    pub(super) fn of(value: &'v Value, known: &[&str]) -> Result<Self, InvalidArgument> {
        let names = || known.iter().map(|name| camel(name)).collect::<Vec<_>>();
        let Value::Object(of) = value else {
            let expected = format!("an object with {}", names().join(", "));
            return Err(InvalidArgument::but(expected, value));
        };
        let names = names();
        match of.iter().find(|(name, _)| !names.contains(name)) {
            None => Ok(Self { of }),
            Some((other, value)) => {
                let expected = match names.as_slice() {
                    [] => "no field at all".to_owned(),
                    names => format!("no field but {}", names.join(", ")),
                };
                Err(InvalidArgument::but(expected, value).within(other))
            }
        }
    }

    /// Parses the field with this name: `take("date_range")` parses `dateRange`.
    ///
    /// # Errors
    /// If the field is required and missing, or if its type does not accept the value.
    pub(super) fn take<T: Argument>(&self, name: &str) -> Result<T, InvalidArgument> {
        let name = camel(name);
        let read = match self.of.get(&name) {
            Some(value) => T::read(value),
            None => T::absent(),
        };
        read.map_err(|wrong| wrong.within(&name))
    }
}

/// A field of an object: its name, its description, the schema of its type, and true if it is
/// required.
pub(super) type Field = (&'static str, &'static str, fn() -> Value, bool);

/// Returns the JSON Schema of an object with these fields.
pub(super) fn object(fields: &[Field]) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (name, meaning, schema, is_required) in fields {
        let (name, mut schema) = (camel(name), schema());
        if *is_required {
            required.push(Value::from(name.clone()));
        }
        if let Value::Object(schema) = &mut schema {
            schema.insert("description".to_owned(), meaning.trim().into());
        }
        properties.insert(name, schema);
    }
    fields! {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    }
}

/// Returns the JSON Schema of a choice between words.
pub(super) fn one_of(words: &[&str]) -> Value {
    fields! { "type": "string", "enum": words.to_vec() }
}

/// Returns the description of a choice between words.
pub(super) fn expected_of(words: &[&str]) -> String {
    format!("one of {}", words.join(", "))
}

/// Converts a field's name to the form that models use: `date_range` -> `dateRange`.
fn camel(name: &str) -> String {
    let mut camel = String::with_capacity(name.len());
    for (place, word) in name.split('_').enumerate() {
        let mut letters = word.chars();
        match letters.next() {
            Some(first) if place > 0 => camel.push(first.to_ascii_uppercase()),
            Some(first) => camel.push(first),
            None => {}
        }
        camel.push_str(letters.as_str());
    }
    camel
}

/// Defines the arguments of a tool as a struct. The doc comments of the fields become the
/// descriptions in the schema, which models read.
macro_rules! arguments {
    (
        $(#[doc = $doc:literal])+
        $vis:vis struct $name:ident {
            $($(#[doc = $meaning:literal])+ $field:ident: $type:ty,)*
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Debug)]
        $vis struct $name {
            $($(#[doc = $meaning])+ $field: $type,)*
        }

        impl $crate::schema::Argument for $name {
            fn schema() -> serde_json::Value {
                use $crate::schema::{Argument, object};
                object(&[$((
                    stringify!($field),
                    concat!($($meaning),+),
                    <$type as Argument>::schema,
                    <$type as Argument>::REQUIRED,
                ),)*])
            }

            fn expected() -> String {
                "an object".to_owned()
            }

            fn read(value: &serde_json::Value) -> Result<Self, $crate::schema::InvalidArgument> {
                let fields = $crate::schema::Fields::of(value, &[$(stringify!($field)),*])?;
                Ok(Self { $($field: fields.take(stringify!($field))?,)* })
            }
        }
    };
}

pub(super) use super::choices::choices;
pub(super) use arguments;

#[cfg(test)]
#[path = "schema_tests.rs"]
mod tests;
