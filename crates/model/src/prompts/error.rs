//! Errors in a template or in its values, with the line of each error.

use crate::phrase::{Phrase, phrase};
use thiserror::Error;

/// An error in a template, or an error while it is rendered.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("prompt {template}, line {line}: {cause}")]
pub struct TemplateError {
    /// The template's name.
    pub template: String,
    /// The line of the error, from 1; 0 if the error concerns the whole template.
    pub line: usize,
    /// The kind of error.
    pub cause: Cause,
}

/// The kinds of errors in a template.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Cause {
    /// The header contains a line other than `template`, `placeholder` or `required`.
    #[error("expected `template`, `placeholder` or `required`, found `{0}`")]
    Header(String),
    /// Text is outside of the sections.
    #[error("`{0}` is outside every section: begin one with <name> or ## name")]
    Outside(String),
    /// A section has no end tag.
    #[error("section {0} has no end: put </{0}> on its own line")]
    NotClosed(String),
    /// Two sections have the same name.
    #[error("there are two sections named {0}: rename one")]
    SectionTwice(String),
    /// A section's name is reserved, or is not a valid name.
    #[error("a section can't be named {0}: rename it")]
    SectionName(String),
    /// A required section is missing or empty.
    #[error("section {0} is missing or empty: put it back")]
    SectionMissing(String),
    /// The text in braces is not a name.
    #[error("`{0}` is not a placeholder: write one as {{{{name}}}}")]
    PlaceholderName(String),
    /// The template uses a placeholder that is not declared.
    #[error("there is no placeholder {name}; there are: {known}")]
    PlaceholderUnknown {
        /// The name as it is written in the template.
        name: String,
        /// The names of the declared placeholders.
        known: String,
    },
    /// A required placeholder is not used.
    #[error("placeholder {0} is missing: write {{{{{0}}}}} where its value belongs")]
    PlaceholderMissing(String),
    /// A required placeholder was given no value.
    #[error("placeholder {0} has no value: give it one")]
    ValueMissing(String),
    /// The user's text is longer than this many characters.
    #[error("the text is longer than {0} characters: shorten it")]
    TooLong(usize),
}

impl TemplateError {
    /// Returns the message that is shown to the user at the text field of the template.
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
            Cause::PlaceholderMissing(name) | Cause::ValueMissing(name) => {
                let words = phrase("prompt_placeholder_missing");
                words.with(&self.template).with(name)
            }
            Cause::TooLong(most) => phrase("prompt_too_long").with(&self.template).with(most),
        }
    }
}
