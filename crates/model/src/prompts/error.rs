//! Errors in a template or in its values, with their line.

use super::Kind;
use crate::phrase::{Phrase, phrase};
use thiserror::Error;

/// An error in a template, or in its rendering.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("prompt {template}, line {line}: {cause}")]
pub struct TemplateError {
    /// The template's name.
    pub template: String,
    /// The line, from 1; 0 is the whole template.
    pub line: usize,
    /// The kind of error.
    pub cause: Cause,
}

/// The kind of a template's error.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Cause {
    /// The header has a line other than `template`, `placeholder` or `required`.
    #[error("expected `template`, `placeholder` or `required`, found `{0}`")]
    Header(String),
    /// Text before, between or after sections.
    #[error("`{0}` is outside every section: begin one with <name> or ## name")]
    Outside(String),
    /// A section without its end.
    #[error("section {0} has no end: put </{0}> on its own line")]
    NotClosed(String),
    /// Two sections with one name.
    #[error("there are two sections named {0}: rename one")]
    SectionTwice(String),
    /// A section name that is reserved, or not a name.
    #[error("a section can't be named {0}: rename it")]
    SectionName(String),
    /// A required section is missing or empty.
    #[error("section {0} is missing or empty: put it back")]
    SectionMissing(String),
    /// Braces around something that is not a name.
    #[error("`{0}` is not a placeholder: write one as {{{{name}}}}")]
    PlaceholderName(String),
    /// An unknown placeholder.
    #[error("there is no placeholder {name}; there are: {known}")]
    PlaceholderUnknown {
        /// The name as written.
        name: String,
        /// The known placeholders.
        known: String,
    },
    /// A required placeholder is not used.
    #[error("placeholder {0} is missing: write {{{{{0}}}}} where its value belongs")]
    PlaceholderMissing(String),
    /// A required placeholder has no value.
    #[error("placeholder {0} has no value: give it one")]
    ValueMissing(String),
    /// A value of the wrong type.
    #[error("placeholder {name} takes {expected}, not {got}")]
    ValueType {
        /// The placeholder's name.
        name: String,
        /// The declared type.
        expected: Kind,
        /// The value's type.
        got: Kind,
    },
    /// The text is longer than an override may be; the limit is in letters.
    #[error("the text is longer than {0} characters: shorten it")]
    TooLong(usize),
}

impl TemplateError {
    /// The message for the user who wrote the template, shown at its field.
    pub fn words(&self) -> Phrase {
        let place = |words: Phrase| words.with(&self.template).with(&self.line);
        match &self.cause {
            Cause::Header(words) | Cause::Outside(words) => {
                place(phrase("prompt_outside")).with(words)
            }
            Cause::NotClosed(name) => place(phrase("prompt_not_closed")).with(name),
            Cause::SectionTwice(name) => place(phrase("prompt_section_twice")).with(name),
            Cause::SectionName(name) => place(phrase("prompt_section_name")).with(name),
            Cause::SectionMissing(name) => phrase("prompt_section_missing")
                .with(&self.template)
                .with(name),
            Cause::PlaceholderName(name) => place(phrase("prompt_placeholder_name")).with(name),
            Cause::PlaceholderUnknown { name, known } => {
                let words = place(phrase("prompt_placeholder_unknown"));
                words.with(name).with(known)
            }
            Cause::PlaceholderMissing(name)
            | Cause::ValueMissing(name)
            | Cause::ValueType { name, .. } => phrase("prompt_placeholder_missing")
                .with(&self.template)
                .with(name),
            Cause::TooLong(most) => phrase("prompt_too_long").with(&self.template).with(most),
        }
    }
}
