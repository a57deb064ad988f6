//! The prompts of models, as templates that the user can read, override and reset.
//!
//! Driving example: the loop renders [`Name::Synthesis`] with the question. If the user wrote a
//! valid override of this template, the override is rendered instead of the default. A [`Template`]
//! consists of sections, marked by XML tags or Markdown headings, with typed placeholders. Writing
//! a template as text and parsing that text gives the same template (Property 16). A value can't
//! end the section that contains it.
//!
//! The fixed texts in `texts/notes.*.txt` ([`Note`]) can't be overridden. The most important of
//! them is the rule that text of pages is data. The reply format is in `model::protocol`. The
//! caller chooses the model and decides when to call it.

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

/// The prompts that are in use for a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prompts {
    /// The language of the prompts.
    pub language: Language,
    overrides: Overrides,
}

impl Prompts {
    /// Makes the prompts for an interface in this language. The overrides are in that language too.
    /// If a conversation changes its language, its prompts stay the same, because each prompt names
    /// the language in which to answer.
    pub fn new(language: Language, overrides: Overrides) -> Self {
        Self {
            language,
            overrides,
        }
    }

    /// The template to use: the user's override if it is valid, otherwise the default.
    ///
    /// # Errors
    /// Only if a default template is invalid, which the tests exclude.
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
