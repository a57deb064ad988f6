//! The values of placeholders.

use serde_json::Value as Json;

/// The type of a placeholder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Any text.
    String,
    /// A list.
    Array,
    /// A JSON object, or `null`.
    Object,
}

impl Kind {
    /// All types that a template can declare.
    pub const ALL: [Self; 3] = [Self::String, Self::Array, Self::Object];

    /// Returns the type's name in the text of a template.
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

/// A value for a placeholder. A value that Gloss did not write is rendered as JSON on one line,
/// without `<`. It therefore can't contain a line break, or the tag that ends a section.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Text that Gloss wrote, rendered unchanged.
    Ours(String),
    /// Text of the user, a page or a model, rendered as a JSON string.
    Words(String),
    /// A list, rendered with one item per line.
    List(Vec<Json>),
    /// A JSON object, or `null`.
    Object(Json),
}

impl Value {
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Ours(words) | Self::Words(words) => words.is_empty(),
            Self::List(items) => items.is_empty(),
            Self::Object(_) => false,
        }
    }

    /// Returns the value as it is rendered in a prompt.
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

/// Writes JSON on one line, without `<` and without Unicode's own line breaks.
fn quoted(json: &Json) -> String {
    let json = json.to_string();
    json.replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
        .replace('\u{85}', "\\u0085")
}
