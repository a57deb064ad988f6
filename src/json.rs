//! Values of our types from JSON's tree.
//!
//! Driving example: an event, from the body of its record. It reads what
//! [`serde_json`] reads from a [`Value`], except that a struct is an object and never an
//! array of its fields, as nobody writes it. That second form of each struct and variant
//! would be a part of the worker that is loaded at each wake-up and never runs. Text is read
//! and written by way of the tree, as each further reader or writer is code for each type.

use serde::de::value::{
    BorrowedStrDeserializer, MapAccessDeserializer, MapDeserializer, SeqDeserializer,
};
use serde::de::{
    DeserializeOwned, Deserializer, Error as _, Expected, IntoDeserializer, Unexpected, Visitor,
};
use serde::{Deserialize, Serialize, forward_to_deserialize_any};
use serde_json::{Error, Map, Value};

#[cfg(test)]
mod tests;

/// Reads a value from a tree.
///
/// # Errors
/// When the tree is of another form; the error says which.
pub fn read<'a, T: Deserialize<'a>>(value: &'a Value) -> Result<T, Error> {
    T::deserialize(Tree(value))
}

/// Reads a value from text.
///
/// # Errors
/// When the text is not JSON, or of another form.
pub fn parse<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    read(&serde_json::from_str(text)?)
}

/// Writes a value as text, its fields sorted by name.
///
/// # Errors
/// When a map's key is no text.
pub fn text<T: Serialize>(value: &T) -> Result<String, Error> {
    serde_json::to_string(&serde_json::to_value(value)?)
}

/// The same with a line for each field, for a file that someone may read.
///
/// # Errors
/// When a map's key is no text.
pub fn pretty<T: Serialize>(value: &T) -> Result<String, Error> {
    serde_json::to_string_pretty(&serde_json::to_value(value)?)
}

#[derive(Clone, Copy)]
struct Tree<'a>(&'a Value);

impl<'de> IntoDeserializer<'de, Error> for Tree<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Tree<'de> {
    fn list<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let Value::Array(items) = self.0 else {
            return Err(self.wrong(&visitor));
        };
        let mut items = SeqDeserializer::new(items.iter().map(Tree));
        let read = visitor.visit_seq(&mut items)?;
        items.end().map(|()| read)
    }

    fn object<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Object(fields) => visitor.visit_map(entries(fields)),
            _ => Err(self.wrong(&visitor)),
        }
    }

    fn wrong(self, expected: &dyn Expected) -> Error {
        let found = match self.0 {
            Value::Null => Unexpected::Unit,
            Value::Bool(truth) => Unexpected::Bool(*truth),
            Value::Number(_) => Unexpected::Other("number"),
            Value::String(text) => Unexpected::Str(text),
            Value::Array(_) => Unexpected::Seq,
            Value::Object(_) => Unexpected::Map,
        };
        Error::invalid_type(found, expected)
    }
}

type Entries<'a, I> = MapDeserializer<'a, I, Error>;

fn entries(fields: &Map<String, Value>) -> Entries<'_, impl Iterator<Item = (Name<'_>, Tree<'_>)>> {
    MapDeserializer::new(fields.iter().map(|(name, value)| (Name(name), Tree(value))))
}

impl<'de> Deserializer<'de> for Tree<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(truth) => visitor.visit_bool(*truth),
            Value::Number(number) => number.deserialize_any(visitor),
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(_) => self.list(visitor),
            Value::Object(_) => self.object(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.list(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.object(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.object(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.0 {
            Value::String(text) => visitor.visit_enum(BorrowedStrDeserializer::new(text)),
            Value::Object(fields) if fields.len() == 1 => {
                MapAccessDeserializer::new(entries(fields))
                    .deserialize_enum(name, variants, visitor)
            }
            Value::Object(_) => Err(Error::invalid_value(
                Unexpected::Map,
                &"map with a single key",
            )),
            _ => Err(self.wrong(&"string or map")),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct tuple tuple_struct identifier
    }
}

/// The name of a field, or a map's key, which is never a number.
struct Name<'a>(&'a str);

impl<'de> IntoDeserializer<'de, Error> for Name<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Name<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_borrowed_str(self.0)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(BorrowedStrDeserializer::new(self.0))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
