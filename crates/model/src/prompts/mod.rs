//! What models are told, as templates that a person can read, override and reset.
//!
//! Driving example: the loop renders [`Name::Synthesis`] with the question; where the
//! person has put a text of their own in its place, that one, if it is valid. A
//! [`Template`] is sections, which are kept apart by XML tags or Markdown headings, and
//! typed placeholders in them. It is a text, and parsing what it is written as gives it
//! back (Property 16). What a value says cannot end the section that it stands in.
//!
//! What no override may touch stands in `texts/notes.*.txt` ([`Note`]): above all that
//! text of pages is data. The form in which a model speaks to the loop is neither: it is
//! `model::protocol`'s. Deliberately absent: who asks which model, and when.

mod difference;
mod error;
mod name;
mod notes;
mod overrides;
mod parse;
mod render;
mod template;
mod value;
mod write;

#[cfg(test)]
mod tests;

pub use difference::{Line, difference};
pub use error::{Cause, TemplateError};
pub use name::Name;
pub use notes::Note;
pub use overrides::{Overrides, SYSTEM_TOKENS, beyond_budget, check, default_body, is_default};
pub use parse::MOST_LETTERS;
pub use template::{Delimiter, Placeholder, Section, Template};
pub use value::{Kind, Value};

use gloss_text::Language;

/// The prompts that a run has in force.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prompts {
    /// In which they are written.
    pub language: Language,
    overrides: Overrides,
}

impl Prompts {
    /// For an interface in this language: the override of a person stands in it, too, and
    /// a conversation that changes languages keeps one prompt. In which language to answer
    /// is said in the prompt itself.
    pub fn new(language: Language, overrides: Overrides) -> Self {
        Self {
            language,
            overrides,
        }
    }

    /// The template in force. An override that is not valid, or no longer, is not.
    ///
    /// # Errors
    /// None but those of a default, which has been tested.
    pub fn template(&self, name: Name) -> Result<Template, TemplateError> {
        let default = Template::parse(name.text(self.language))?;
        let own = self.overrides.get(name, self.language);
        Ok(match own.map(|text| default.with_body(text)) {
            Some(Ok(own)) => own,
            Some(Err(_)) | None => default,
        })
    }

    /// A prompt with its values.
    ///
    /// # Errors
    /// When a value is missing, is of another type, or has no place.
    pub fn render(&self, name: Name, values: &[(&str, Value)]) -> Result<String, TemplateError> {
        self.template(name)?.render(values)
    }

    /// A fixed text with its values.
    ///
    /// # Errors
    /// As for [`Prompts::render`].
    pub fn note(&self, note: Note, values: &[(&str, Value)]) -> Result<String, TemplateError> {
        let notes = Template::parse(Note::text(self.language))?;
        notes.section(note.id(), values)
    }
}
