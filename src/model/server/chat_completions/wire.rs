//! What servers send, as far as it means anything here. Unknown fields are skipped,
//! optional ones of another form too; strings are lent from the text wherever they hold
//! no escapes.

use crate::model::server::lenient::{Element, Lenient, lenient, object};
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor, value};
use serde::{Deserialize, de};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;

/// A chunk of a stream, or a whole completion.
#[derive(Deserialize)]
pub(super) struct Chunk<'a> {
    #[serde(borrow, default)]
    pub(super) choices: First<'a>,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) usage: Option<Usage>,
    #[serde(default)]
    pub(super) error: Option<Value>,
}

impl<'a> Chunk<'a> {
    /// Reads one.
    ///
    /// # Errors
    /// When it is no JSON, or no object.
    pub(super) fn of(json: &'a str) -> serde_json::Result<Self> {
        if json.trim_start().starts_with('[') {
            // Serde would read a list as the fields in their order.
            return Err(de::Error::custom("not an object"));
        }
        serde_json::from_str(json)
    }
}

#[derive(Deserialize)]
pub(super) struct Choice<'a> {
    /// Its number among the choices.
    #[serde(default, deserialize_with = "lenient")]
    index: Option<u32>,
    #[serde(borrow, default, deserialize_with = "lenient")]
    pub(super) delta: Option<Delta<'a>>,
    /// The same in a whole completion.
    #[serde(borrow, default, deserialize_with = "lenient")]
    pub(super) message: Option<Delta<'a>>,
    #[serde(borrow, default)]
    pub(super) finish_reason: Option<Text<'a>>,
}

#[derive(Deserialize)]
pub(super) struct Delta<'a> {
    #[serde(borrow, default)]
    pub(super) content: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub(super) reasoning_content: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub(super) reasoning: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub(super) refusal: Option<Text<'a>>,
    #[serde(borrow, default, alias = "toolCalls", deserialize_with = "lenient")]
    pub(super) tool_calls: Option<Vec<CallDelta<'a>>>,
}

#[derive(Deserialize)]
pub(super) struct CallDelta<'a> {
    #[serde(default, deserialize_with = "lenient")]
    pub(super) index: Option<u32>,
    #[serde(borrow, default)]
    pub(super) id: Option<Text<'a>>,
    #[serde(borrow, default, deserialize_with = "lenient")]
    pub(super) function: Option<FunctionDelta<'a>>,
}

#[derive(Deserialize)]
pub(super) struct FunctionDelta<'a> {
    #[serde(borrow, default)]
    pub(super) name: Option<Text<'a>>,
    #[serde(borrow, default)]
    pub(super) arguments: Option<Text<'a>>,
}

#[derive(Debug, Deserialize, Clone, Copy)]
pub(super) struct Usage {
    #[serde(default, deserialize_with = "lenient")]
    pub(super) prompt_tokens: Option<u32>,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) completion_tokens: Option<u32>,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) prompt_tokens_details: Option<Details>,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) completion_tokens_details: Option<Details>,
    /// `DeepSeek`'s own.
    #[serde(default, deserialize_with = "lenient")]
    pub(super) prompt_cache_hit_tokens: Option<u32>,
}

/// What a count consists of.
#[derive(Debug, Deserialize, Clone, Copy)]
pub(super) struct Details {
    #[serde(default, deserialize_with = "lenient")]
    pub(super) cached_tokens: Option<u32>,
    /// `OpenAI`'s models from GPT-5.6 on charge for it, and `OpenRouter` says it of all.
    #[serde(default, rename = "cache_write_tokens", deserialize_with = "lenient")]
    pub(super) cache_written: Option<u32>,
    #[serde(default, deserialize_with = "lenient")]
    pub(super) reasoning_tokens: Option<u32>,
}

impl<'de> Lenient<'de> for Usage {
    fn of_object<A: MapAccess<'de>>(map: A) -> Result<Option<Self>, A::Error> {
        object(map)
    }
}

impl<'de> Lenient<'de> for Details {
    fn of_object<A: MapAccess<'de>>(map: A) -> Result<Option<Self>, A::Error> {
        object(map)
    }
}

/// They are objects, and nothing else is one of them.
macro_rules! objects {
    ($($name:ident),*) => {$(
        impl<'de: 'a, 'a> Lenient<'de> for $name<'a> {
            fn of_object<A: MapAccess<'de>>(map: A) -> Result<Option<Self>, A::Error> {
                object(map)
            }
        }
    )*};
}
objects!(Choice, Delta, CallDelta, FunctionDelta, Part);

/// A text, whatever it is sent as: a list of parts is their texts, an object its JSON.
pub(super) struct Text<'a>(pub(super) Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextVisitor)
    }
}

struct TextVisitor;

#[derive(Deserialize)]
struct Part<'a> {
    #[serde(borrow, default)]
    text: Option<Text<'a>>,
}

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Text(Cow::Owned(text.to_owned())))
    }

    fn visit_string<E>(self, text: String) -> Result<Self::Value, E> {
        Ok(Text(Cow::Owned(text)))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Text(Cow::Borrowed("")))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Text(Cow::Owned(number.to_string())))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Text(Cow::Owned(number.to_string())))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
        Ok(Text(Cow::Owned(number.to_string())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Self::Value, A::Error> {
        let mut whole = String::new();
        while let Some(Element(part)) = parts.next_element::<Element<Part<'de>>>()? {
            whole.extend(part.and_then(|part| part.text).map(|text| text.0));
        }
        Ok(Text(Cow::Owned(whole)))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        let object = Value::deserialize(value::MapAccessDeserializer::new(map))?;
        Ok(Text(Cow::Owned(object.to_string())))
    }
}

/// The first choice of a list that may be empty or null, without a list. More are never
/// asked for: what is sent of another is none of ours.
#[derive(Default)]
pub(super) struct First<'a>(pub(super) Option<Choice<'a>>);

impl<'de: 'a, 'a> Deserialize<'de> for First<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FirstVisitor)
    }
}

struct FirstVisitor;

impl<'de> Visitor<'de> for FirstVisitor {
    type Value = First<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(First(None))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        while let Some(Element(choice)) = list.next_element::<Element<Choice<'de>>>()? {
            let first = choice.filter(|choice| choice.index.unwrap_or(0) == 0);
            if first.is_some() {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                return Ok(First(first));
            }
        }
        Ok(First(None))
    }
}
