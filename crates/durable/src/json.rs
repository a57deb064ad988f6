//! Converts typed values to and from [`Value`], a tree of JSON values.
//!
//! Example: an event is read from the body of its record. This module accepts the same
//! values as [`serde_json`], with two exceptions. Numbers and booleans can't be keys of maps,
//! except `u32` numbers. A struct must be an object, never an array of its fields. Support for such
//! arrays would make the worker's module larger, and Chrome loads the module at each wake-up. Text
//! is parsed to a [`Value`] first, because a parser from text to a type would be compiled again for
//! each type.

use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error as _, MapAccess, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};
use serde::{Deserialize, Serialize, forward_to_deserialize_any};
use serde_json::{Error, Map, Value, map};
use std::slice;

#[cfg(test)]
mod tests;

/// Reads a value from a tree.
///
/// # Errors
/// The tree doesn't have the form of the type; the error says where.
pub fn read<'a, T: Deserialize<'a>>(value: &'a Value) -> Result<T, Error> {
    T::deserialize(Tree(value))
}

/// Sets a field of an object. Does nothing if `object` is not an object.
pub fn put(object: &mut Value, field: &str, value: Value) {
    if let Value::Object(fields) = object {
        fields.insert(field.to_owned(), value);
    }
}

/// Reads a value from text.
///
/// # Errors
/// The text is not JSON, or doesn't have the form of the type.
pub fn parse<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    read(&serde_json::from_str(text)?)
}

/// Writes a value as text with the fields sorted by name.
///
/// # Errors
/// A map's key is not a string.
pub fn text<T: Serialize>(value: &T) -> Result<String, Error> {
    serde_json::to_string(&serde_json::to_value(value)?)
}

/// Writes a value as text with one line for each field, for files that people read.
///
/// # Errors
/// A map's key is not a string.
pub fn pretty<T: Serialize>(value: &T) -> Result<String, Error> {
    serde_json::to_string_pretty(&serde_json::to_value(value)?)
}

/// Parses a number, including the forms `.5` and `1.`. This function doesn't use
/// `str::parse::<f64>`, whose tables would add 14 KB to the module and hardly compress.
pub fn number(text: &str) -> Option<f64> {
    let before = if text.starts_with('.') { "0" } else { "" };
    let behind = if text.ends_with('.') { "0" } else { "" };
    parse::<Value>(&format!("{before}{text}{behind}"))
        .ok()?
        .as_f64()
}

/// Builds an object from fields. This function doesn't use `collect`, because each use of `collect`
/// would compile a sort of the fields.
pub fn object(fields: impl Iterator<Item = (String, Value)>) -> Value {
    let mut object = Map::new();
    object.extend(fields);
    Value::Object(object)
}

/// Builds an object from fields. A field whose value is `null` is left out.
pub fn fields(fields: &mut [(&str, Value)]) -> Value {
    let mut object = Map::new();
    for (name, value) in fields {
        if !value.is_null() {
            object.insert((*name).to_owned(), value.take());
        }
    }
    Value::Object(object)
}

/// Builds an object like `serde_json::json!`, but leaves out fields whose value is `null`. The
/// expansion calls one function, while `json!` repeats the insertion for each field.
#[macro_export]
macro_rules! fields {
    ($($name:tt: $value:expr),+ $(,)?) => {
        $crate::json::fields(&mut [$(($name, $value.into())),+])
    };
}

#[derive(Clone, Copy)]
struct Tree<'a>(&'a Value);

impl<'de> Tree<'de> {
    fn list<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let Value::Array(items) = self.0 else {
            return Err(self.wrong("a list"));
        };
        let mut rest = Items(items.iter());
        let read = visitor.visit_seq(&mut rest)?;
        if rest.0.len() > 0 {
            return Err(Error::invalid_length(items.len(), &"fewer elements"));
        }
        Ok(read)
    }

    fn object<V: Visitor<'de>>(self, name: &str, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Object(fields) => visitor.visit_map(Entries {
                left: fields.iter(),
                value: &Value::Null,
            }),
            _ => Err(self.wrong(name)),
        }
    }

    /// Reads an enum variant. A variant without content is a string; any variant may be an object
    /// with one field.
    fn variant(self, of: &str) -> Result<Variant<'de>, Error> {
        let variant = match self.0 {
            Value::String(name) => Some(Variant(name, &Value::Null)),
            Value::Object(fields) if fields.len() == 1 => {
                let only = fields.iter().next();
                only.map(|(name, value)| Variant(name, value))
            }
            _ => None,
        };
        variant.ok_or_else(|| self.wrong(of))
    }

    fn wrong(self, expected: &str) -> Error {
        let found = match self.0 {
            Value::Null => Unexpected::Unit,
            Value::Bool(truth) => Unexpected::Bool(*truth),
            Value::Number(_) => Unexpected::Other("number"),
            Value::String(text) => Unexpected::Str(text),
            Value::Array(_) => Unexpected::Seq,
            Value::Object(_) => Unexpected::Map,
        };
        Error::invalid_type(found, &expected)
    }
}

/// The remaining items of a list.
struct Items<'a>(slice::Iter<'a, Value>);

impl<'de> SeqAccess<'de> for &mut Items<'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        let item = self.0.next();
        item.map(|item| seed.deserialize(Tree(item))).transpose()
    }
}

/// The remaining entries of an object, and the value of the key that was read last.
struct Entries<'a> {
    left: map::Iter<'a>,
    value: &'a Value,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        let Some((name, value)) = self.left.next() else {
            return Ok(None);
        };
        self.value = value;
        seed.deserialize(Name(name)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        seed.deserialize(Tree(self.value))
    }
}

/// An enum variant: its name and its content.
struct Variant<'a>(&'a str, &'a Value);

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = Error;
    type Variant = Tree<'de>;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Self::Variant), Error> {
        Ok((seed.deserialize(Name(self.0))?, Tree(self.1)))
    }
}

impl<'de> VariantAccess<'de> for Tree<'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        match self.0 {
            Value::Null => Ok(()),
            _ => Err(self.wrong("nothing")),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.list(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.object("an object", visitor)
    }
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
            Value::Object(_) => self.object("", visitor),
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
        self.object("an object", visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.object(name, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(self.variant(name)?)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct tuple tuple_struct identifier
    }
}

/// The name of a field, or a key of a map. Numeric keys must be `u32`.
struct Name<'a>(&'a str);

impl<'de> Deserializer<'de> for Name<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_borrowed_str(self.0)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0.parse() {
            Ok(number) => visitor.visit_u32(number),
            Err(_) => self.deserialize_any(visitor),
        }
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
        visitor.visit_enum(Variant(self.0, &Value::Null))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
