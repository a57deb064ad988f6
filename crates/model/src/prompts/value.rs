//! The values of placeholders.

use serde_json::Value as Json;
use std::fmt;

/// The type of a placeholder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Any text.
    String,
    /// A list.
    Array,
    /// An object, or `null`.
    Object,
}

impl Kind {
    /// All types in order.
    pub const ALL: [Self; 3] = [Self::String, Self::Array, Self::Object];

    /// The name in a template's text.
    pub fn id(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }

    pub(super) fn of(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.id() == id)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// A value. A value that Gloss did not write is rendered as one line of JSON without `<`, so that
/// it can neither end nor begin a line, a tag or a section.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Gloss's own text, rendered unchanged.
    Ours(String),
    /// Someone else's text, rendered as JSON.
    Words(String),
    /// A list, rendered with one item per line.
    List(Vec<Json>),
    /// An object, or `null`.
    Object(Json),
}

impl Value {
    pub(super) fn kind(&self) -> Kind {
        match self {
            Self::Ours(_) | Self::Words(_) => Kind::String,
            Self::List(_) => Kind::Array,
            Self::Object(_) => Kind::Object,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Ours(words) | Self::Words(words) => words.is_empty(),
            Self::List(items) => items.is_empty(),
            Self::Object(_) => false,
        }
    }

    /// The value as rendered in a prompt.
    pub(super) fn written(&self) -> String {
        match self {
            Self::Ours(words) => words.clone(),
            Self::Words(words) => quoted(&Json::from(words.as_str())),
            Self::List(items) => {
                let items = items.iter().map(|item| format!("- {}", quoted(item)));
                items.collect::<Vec<_>>().join("\n")
            }
            Self::Object(object) => quoted(object),
        }
    }
}

/// JSON on one line, without tags and without characters that reverse or hide text.
fn quoted(json: &Json) -> String {
    let json = json.to_string();
    json.replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
        .replace('\u{85}', "\\u0085")
}
