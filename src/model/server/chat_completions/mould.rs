//! A chunk told by the one before: most of a stream's differ in their content alone, and
//! need no parsing of their own.

use super::wire::{Choice, Chunk};
use std::borrow::Cow;

/// The chunk before, around its content. Those of one stream mostly differ in this
/// alone: what fits needs no parsing, and means the same by the grammar of JSON.
#[derive(Debug)]
pub(super) struct Mould {
    before: String,
    after: String,
}

impl Mould {
    /// The mould of a chunk whose one meaning is its content, lent from `data`.
    pub(super) fn of(chunk: &Chunk<'_>, data: &str) -> Option<Self> {
        let Choice {
            delta: Some(delta),
            message: None,
            finish_reason: None,
            ..
        } = chunk.choices.0.as_ref()?
        else {
            return None;
        };
        let others = [&delta.reasoning_content, &delta.reasoning, &delta.refusal];
        let alone = others.iter().all(|other| other.is_none()) && delta.tool_calls.is_none();
        let Cow::Borrowed(content) = delta.content.as_ref()?.0 else {
            return None;
        };
        if !alone || chunk.usage.is_some() || chunk.error.is_some() {
            return None;
        }
        // Where it was lent from: between two quotes.
        let start = (content.as_ptr() as usize).checked_sub(data.as_ptr() as usize)?;
        let before = data.get(..start)?;
        let after = data.get(start + content.len()..)?;
        (before.ends_with('"') && after.starts_with('"')).then(|| Self {
            before: before.to_owned(),
            after: after.to_owned(),
        })
    }

    /// The content of a chunk that is the same but for a plain string.
    pub(super) fn content<'a>(&self, data: &'a str) -> Option<&'a str> {
        let content = data
            .strip_prefix(&*self.before)?
            .strip_suffix(&*self.after)?;
        let is_plain = |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\';
        content.bytes().all(is_plain).then_some(content)
    }
}
