//! A prompt template as data, and its validation.

use super::placeholder::{Piece, is_name, pieces};
use super::{Cause, Kind, TemplateError};

/// Tags that `model::protocol` uses in messages to models, so no section may have these names.
const RESERVED: [&str; 6] = [
    "instruction",
    "tool_result",
    "page",
    "selection",
    "earlier",
    "gloss",
];

/// A prompt: named sections with placeholders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// The template's name: letters, digits, `_` and `-`.
    pub name: String,
    /// The declared placeholders.
    pub placeholders: Vec<Placeholder>,
    /// The sections in order.
    pub sections: Vec<Section>,
}

/// A point in the text where a value is inserted, written as `{{name}}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placeholder {
    /// The placeholder's name: letters, digits, `_` and `-`.
    pub name: String,
    /// The type of the placeholder's values.
    pub kind: Kind,
    /// True if the user's override must also use the placeholder, and each rendering must give it a
    /// value.
    pub required: bool,
}

/// A named part of a prompt between two delimiters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The name in the tags, or the text of the heading.
    pub name: String,
    /// The kind of delimiters around the section.
    pub delimiter: Delimiter,
    /// True if the user's override must also contain the section. An optional section is left out
    /// of a rendering if one of its placeholders has no value.
    pub required: bool,
    /// The text between the delimiters.
    pub content: String,
}

/// The kinds of lines that mark a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delimiter {
    /// `<name>` and `</name>`, each on its own line.
    Xml,
    /// A line `## name`.
    Markdown,
}

impl Section {
    /// Makes an optional section. Blank lines around its text are removed.
    pub fn new(name: &str, delimiter: Delimiter, content: &str) -> Self {
        Self {
            name: name.to_owned(),
            delimiter,
            required: false,
            content: trim_blank_lines(content).0,
        }
    }
}

/// The line numbers of a section in the template's text, from 1; 0 if unknown.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SectionLines {
    /// The line of the section's tag or heading.
    pub(super) line: usize,
    /// The first line of the section's text.
    pub(super) words: usize,
}

/// Removes blank lines before and after the text. Also returns the number of blank lines that were
/// removed before the text.
pub(super) fn trim_blank_lines(content: &str) -> (String, usize) {
    let content = content.replace('\r', "");
    let is_blank = |line: &&str| line.trim().is_empty();
    let lines: Vec<&str> = content.split('\n').collect();
    let before = lines.iter().take_while(|line| is_blank(line)).count();
    let after = lines.iter().rev().take_while(|line| is_blank(line)).count();
    let kept = lines.get(before..lines.len() - after.min(lines.len() - before));
    (kept.unwrap_or_default().join("\n"), before)
}

impl Template {
    pub(super) fn error(&self, line: usize, cause: Cause) -> TemplateError {
        TemplateError {
            template: self.name.clone(),
            line,
            cause,
        }
    }

    /// Checks the template. `places` contains the sections' line numbers for error messages.
    pub(super) fn check(&self, places: &[SectionLines]) -> Result<(), TemplateError> {
        let mut names = self.placeholders.iter().map(|it| &it.name);
        if let Some(name) = names.find(|name| !is_name(name)) {
            return Err(self.error(0, Cause::PlaceholderName(name.clone())));
        }
        let mut used: Vec<&str> = Vec::new();
        for (at, section) in self.sections.iter().enumerate() {
            let SectionLines { line, words } = places.get(at).copied().unwrap_or_default();
            let name = section.name.clone();
            if !is_section_name(section) {
                return Err(self.error(line, Cause::SectionName(name)));
            }
            if self.sections.iter().take(at).any(|it| it.name == name) {
                return Err(self.error(line, Cause::SectionTwice(name)));
            }
            if section.required && section.content.trim().is_empty() {
                return Err(self.error(line, Cause::SectionMissing(name)));
            }
            for (offset, text) in section.content.split('\n').enumerate() {
                let line = if words == 0 { 0 } else { words + offset };
                for piece in pieces(text) {
                    match piece {
                        Piece::Words(_) => {}
                        Piece::Broken(shown) => {
                            let cause = Cause::PlaceholderName(shown.to_owned());
                            return Err(self.error(line, cause));
                        }
                        Piece::Placeholder(name) if self.placeholder(name).is_some() => {
                            used.push(name);
                        }
                        Piece::Placeholder(name) => {
                            return Err(self.error(line, self.unknown(name)));
                        }
                    }
                }
            }
        }
        let mut required = self.placeholders.iter().filter(|it| it.required);
        match required.find(|it| !used.contains(&it.name.as_str())) {
            Some(missing) => Err(self.error(0, Cause::PlaceholderMissing(missing.name.clone()))),
            None => Ok(()),
        }
    }

    pub(super) fn placeholder(&self, name: &str) -> Option<&Placeholder> {
        self.placeholders.iter().find(|it| it.name == name)
    }

    pub(super) fn unknown(&self, name: &str) -> Cause {
        let known = self.placeholders.iter().map(|it| it.name.as_str());
        Cause::PlaceholderUnknown {
            name: name.to_owned(),
            known: known.collect::<Vec<_>>().join(", "),
        }
    }
}

fn is_section_name(section: &Section) -> bool {
    let name = section.name.as_str();
    let is_ours = RESERVED.iter().any(|it| name.eq_ignore_ascii_case(it));
    let is_said = match section.delimiter {
        Delimiter::Xml => is_name(name),
        Delimiter::Markdown => {
            !name.is_empty() && name.trim() == name && !name.contains(char::is_control)
        }
    };
    is_said && !is_ours
}
