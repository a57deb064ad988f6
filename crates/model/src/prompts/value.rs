//! What is put into a template.

use serde_json::Value as Json;
use std::fmt;

/// What a placeholder takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Words.
    String,
    /// A list.
    Array,
    /// Named values, or nothing.
    Object,
}

impl Kind {
    /// In their order.
    pub const ALL: [Self; 3] = [Self::String, Self::Array, Self::Object];

    /// As it is written.
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

/// A value. What is not ours is written as JSON without `<`: it can neither end its line
/// nor hold a tag, so that it ends no section and begins none.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Words of Gloss itself, as they are.
    Ours(String),
    /// Somebody's words.
    Words(String),
    /// A list, one to a line.
    List(Vec<Json>),
    /// An object; `null` where there is none.
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

    /// As it stands in a prompt.
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

/// JSON on one line, without a tag, and without characters that would turn or hide words.
fn quoted(json: &Json) -> String {
    let json = json.to_string();
    json.replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
        .replace('\u{85}', "\\u0085")
}
