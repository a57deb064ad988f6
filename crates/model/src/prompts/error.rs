//! What is wrong with a template, or with what is put into it, and where.

use super::Kind;
use crate::phrase::{Phrase, phrase};
use thiserror::Error;

/// A template that may not stand, or cannot be rendered.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("prompt {template}, line {line}: {cause}")]
pub struct TemplateError {
    /// The template's name.
    pub template: String,
    /// The line, from 1; 0 is the template as a whole.
    pub line: usize,
    /// What.
    pub cause: Cause,
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Cause {
    /// It does not begin as a template does.
    #[error("expected `template`, `placeholder` or `required`, found `{0}`")]
    Header(String),
    /// Words before, between or after sections.
    #[error("`{0}` is outside every section: begin one with <name> or ## name")]
    Outside(String),
    /// A section without its end.
    #[error("section {0} has no end: put </{0}> on its own line")]
    NotClosed(String),
    /// Two sections of one name.
    #[error("there are two sections named {0}: rename one")]
    SectionTwice(String),
    /// A section's name means something else to a model of ours, or is none.
    #[error("a section can't be named {0}: rename it")]
    SectionName(String),
    /// A section that has to be there.
    #[error("section {0} is missing or empty: put it back")]
    SectionMissing(String),
    /// Two placeholders of one name.
    #[error("placeholder {0} is declared twice")]
    PlaceholderTwice(String),
    /// Something in braces that is no name.
    #[error("`{0}` is not a placeholder: write one as {{{{name}}}}")]
    PlaceholderName(String),
    /// A placeholder that there is none of.
    #[error("there is no placeholder {name}; there are: {known}")]
    PlaceholderUnknown {
        /// As it was written.
        name: String,
        /// Those there are.
        known: String,
    },
    /// A placeholder that has to be used.
    #[error("placeholder {0} is missing: write {{{{{0}}}}} where its value belongs")]
    PlaceholderMissing(String),
    /// A required placeholder was given nothing.
    #[error("placeholder {0} has no value: give it one")]
    ValueMissing(String),
    /// A value of another type.
    #[error("placeholder {name} takes {expected}, not {got}")]
    ValueType {
        /// The placeholder.
        name: String,
        /// Its type.
        expected: Kind,
        /// The value's.
        got: Kind,
    },
    /// It is longer than an override may be.
    #[error("the text is longer than {0} characters: shorten it")]
    TooLong(usize),
}

impl TemplateError {
    /// For the person who wrote it, at its field.
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
            Cause::PlaceholderTwice(name)
            | Cause::PlaceholderMissing(name)
            | Cause::ValueMissing(name)
            | Cause::ValueType { name, .. } => phrase("prompt_placeholder_missing")
                .with(&self.template)
                .with(name),
            Cause::TooLong(most) => phrase("prompt_too_long").with(&self.template).with(most),
        }
    }
}
