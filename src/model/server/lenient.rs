//! Optional fields, read with patience: one of another form than it should have is
//! left out, and the chunk around it stays whole.
//!
//! Driving example: a whole answer ends with `"usage": {"prompt_tokens": -5}`.

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, de};
use std::fmt;
use std::marker::PhantomData;

/// What can be read from one form of JSON; any other gives nothing.
pub(super) trait Lenient<'de>: Sized {
    /// From a whole number that is not negative.
    fn of_number(_number: u64) -> Option<Self> {
        None
    }

    /// From an object.
    ///
    /// # Errors
    /// When the JSON itself is broken, as for a list.
    fn of_object<A: MapAccess<'de>>(mut object: A) -> Result<Option<Self>, A::Error> {
        while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    /// From a list.
    ///
    /// # Errors
    /// When the JSON itself is broken.
    fn of_list<A: SeqAccess<'de>>(mut list: A) -> Result<Option<Self>, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }
}

impl Lenient<'_> for u32 {
    fn of_number(number: u64) -> Option<Self> {
        Self::try_from(number).ok()
    }
}

/// What of a list can be read.
impl<'de, T: Lenient<'de>> Lenient<'de> for Vec<T> {
    fn of_list<A: SeqAccess<'de>>(mut list: A) -> Result<Option<Self>, A::Error> {
        let mut read = Self::new();
        while let Some(Element(element)) = list.next_element()? {
            read.extend(element);
        }
        Ok(Some(read))
    }
}

/// The object that a type derives its reading from.
pub(super) fn object<'de, T, A>(object: A) -> Result<Option<T>, A::Error>
where
    T: Deserialize<'de>,
    A: MapAccess<'de>,
{
    T::deserialize(MapAccessDeserializer::new(object)).map(Some)
}

/// For a field.
pub(super) fn lenient<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: Lenient<'de>,
    D: Deserializer<'de>,
{
    deserializer.deserialize_any(LenientVisitor(PhantomData))
}

/// One of a list.
pub(super) struct Element<T>(pub(super) Option<T>);

impl<'de, T: Lenient<'de>> Deserialize<'de> for Element<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        lenient(deserializer).map(Self)
    }
}

struct LenientVisitor<T>(PhantomData<T>);

impl<'de, T: Lenient<'de>> Visitor<'de> for LenientVisitor<T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Self::Value, E> {
        Ok(T::of_number(number))
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_str<E: de::Error>(self, _: &str) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
        T::of_list(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<Self::Value, A::Error> {
        T::of_object(object)
    }
}
