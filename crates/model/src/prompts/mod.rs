//! The prompts of models, as templates that the user can read, override and reset.
//!
//! Driving example: the loop renders [`Name::Synthesis`] with the question; a valid override by the
//! user is used instead of the default. A [`Template`] consists of sections, marked by XML tags or
//! Markdown headings, with typed placeholders. Parsing a template's text and writing it out again
//! gives the same template (Property 16). A value can't end the section that contains it.
//!
//! Texts that no override may change are in `texts/notes.*.txt` ([`Note`]), above all the rule that
//! text of pages is data. The reply format belongs to `model::protocol`. The choice of model and
//! the time of a call are decided elsewhere.

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

/// The prompts in force for a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prompts {
    /// The language of the prompts.
    pub language: Language,
    overrides: Overrides,
}

impl Prompts {
    /// Prompts for an interface in this language. The overrides are in that language too, and a
    /// conversation that changes languages keeps its prompts. The prompt itself names the language
    /// of the answer.
    pub fn new(language: Language, overrides: Overrides) -> Self {
        Self {
            language,
            overrides,
        }
    }

    /// The template in force. An override that is not or no longer valid is ignored.
    ///
    /// # Errors
    /// Only if a default is invalid, which the tests exclude.
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
    /// If a value is missing, has another type, or has no placeholder.
    pub fn render(&self, name: Name, values: &[(&str, Value)]) -> Result<String, TemplateError> {
        self.template(name)?.render(values)
    }

    /// Renders a fixed text with its values.
    ///
    /// # Errors
    /// As for [`Prompts::render`].
    pub fn note(&self, note: Note, values: &[(&str, Value)]) -> Result<String, TemplateError> {
        let notes = Template::parse(Note::text(self.language))?;
        notes.section(note.id(), values)
    }
}
