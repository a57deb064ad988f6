//! The prompts of models, as templates that the user can read, override and reset.
//!
//! Example: the agent loop renders [`Name::Synthesis`] with the user's question. If the
//! user wrote a valid override of this template, the override is rendered instead of the default. A
//! [`Template`] consists of sections with typed placeholders. Sections are marked by XML tags or
//! Markdown headings. A template that is written as text and parsed again is unchanged (Property
//! 16). The value of a placeholder can't end the section that contains it.
//!
//! The fixed texts in `texts/notes.*.txt` ([`Note`]) can't be overridden. The most important fixed
//! text tells the model that text of pages is data. The reply format is in `model::protocol`.

mod difference;
mod error;
mod name;
mod notes;
mod overrides;
mod parse;
mod placeholder;
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

/// The prompts of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prompts {
    /// The language of the prompts.
    pub language: Language,
    overrides: Overrides,
}

impl Prompts {
    /// Makes the prompts for an interface in this language. The overrides are in the same language.
    /// If the user writes in another language, the prompts stay in this one, because the system
    /// prompt tells the model in which language to answer.
    pub fn new(language: Language, overrides: Overrides) -> Self {
        Self {
            language,
            overrides,
        }
    }

    /// Returns the template to use: the user's override if it exists and is valid, otherwise the
    /// default.
    ///
    /// # Errors
    /// Only if a default template is invalid. Tests check that all default templates are valid.
    pub fn template(&self, name: Name) -> Result<Template, TemplateError> {
        let default = Template::parse(name.text(self.language))?;
        let own = self.overrides.get(name, self.language);
        Ok(match own.map(|text| default.with_body(text)) {
            Some(Ok(own)) => own,
            Some(Err(_)) | None => default,
        })
    }

    /// Renders a prompt with its values.
    ///
    /// # Errors
    /// If a value is missing, has the wrong type, or belongs to no placeholder.
    pub fn render(&self, name: Name, values: &[(&str, Value)]) -> Result<String, TemplateError> {
        self.template(name)?.render(values)
    }

    /// Renders one of Gloss's fixed texts with its values.
    ///
    /// # Errors
    /// For the same reasons as [`Prompts::render`].
    pub fn note(&self, note: Note, values: &[(&str, Value)]) -> Result<String, TemplateError> {
        let notes = Template::parse(Note::text(self.language))?;
        notes.section(note.id(), values)
    }
}
