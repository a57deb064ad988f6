//! Renders templates: replaces placeholders with values.

use super::placeholder::{Piece, pieces};
use super::write::delimited;
use super::{Cause, Section, Template, TemplateError, Value};

type Values<'a> = [(&'a str, Value)];

impl Template {
    /// Renders the sections with their delimiters. An optional section is left out if one of its
    /// placeholders has no value or an empty one.
    ///
    /// # Errors
    /// If a required value is missing, or if a value has the wrong type or belongs to no
    /// placeholder.
    pub fn render(&self, values: &Values<'_>) -> Result<String, TemplateError> {
        self.check_values(values)?;
        let required = self.placeholders.iter().filter(|it| it.required);
        for placeholder in required {
            if value(values, &placeholder.name).is_none() {
                return Err(self.error(0, Cause::ValueMissing(placeholder.name.clone())));
            }
        }
        let mut written = Vec::new();
        for section in &self.sections {
            if section.required || !lacks(section, values) {
                let words = self.fill(section, values)?;
                if !words.trim().is_empty() {
                    written.push(delimited(section, &words));
                }
            }
        }
        Ok(written.join("\n\n"))
    }

    /// Renders one section without its delimiters. If an optional placeholder has no value, nothing
    /// is inserted in its place.
    ///
    /// # Errors
    /// For the same reasons as [`Template::render`], and if there is no section with this name.
    pub fn section(&self, name: &str, values: &Values<'_>) -> Result<String, TemplateError> {
        self.check_values(values)?;
        match self.sections.iter().find(|it| it.name == name) {
            Some(section) => self.fill(section, values),
            None => Err(self.error(0, Cause::SectionMissing(name.to_owned()))),
        }
    }

    /// Checks that every value belongs to a placeholder.
    fn check_values(&self, values: &Values<'_>) -> Result<(), TemplateError> {
        let mut names = values.iter().map(|(name, _)| *name);
        match names.find(|name| self.placeholder(name).is_none()) {
            Some(name) => Err(self.error(0, self.unknown(name))),
            None => Ok(()),
        }
    }

    fn fill(&self, section: &Section, values: &Values<'_>) -> Result<String, TemplateError> {
        let mut words = String::new();
        for piece in pieces_of(section) {
            match piece {
                Piece::Words(as_is) | Piece::Broken(as_is) => words.push_str(as_is),
                Piece::Placeholder(name) => match (value(values, name), self.placeholder(name)) {
                    (Some(value), _) => words.push_str(&value.written()),
                    (None, Some(placeholder)) if !placeholder.required => {}
                    (None, _) => {
                        return Err(self.error(0, Cause::ValueMissing(name.to_owned())));
                    }
                },
            }
        }
        Ok(words)
    }
}

fn pieces_of(section: &Section) -> impl Iterator<Item = Piece<'_>> {
    let lines = section.content.split_inclusive('\n');
    lines.flat_map(pieces)
}

fn value<'a>(values: &'a Values<'_>, name: &str) -> Option<&'a Value> {
    let found = values.iter().find(|(own, _)| *own == name);
    found.map(|(_, value)| value)
}

/// Returns true if a placeholder of the section has no value or an empty value.
fn lacks(section: &Section, values: &Values<'_>) -> bool {
    pieces_of(section).any(|piece| match piece {
        Piece::Placeholder(name) => value(values, name).is_none_or(Value::is_empty),
        Piece::Words(_) | Piece::Broken(_) => false,
    })
}
