//! A prompt as data, and what makes it valid.

use super::render::{Piece, pieces};
use super::{Cause, Kind, TemplateError};

/// Tags that mean something else between us and a model (`model::protocol`).
const RESERVED: [&str; 6] = [
    "instruction",
    "tool_result",
    "page",
    "selection",
    "earlier",
    "gloss",
];

/// A prompt: named sections with placeholders in them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// Letters, digits, `_` and `-`.
    pub name: String,
    /// What is put into it.
    pub placeholders: Vec<Placeholder>,
    /// In their order.
    pub sections: Vec<Section>,
}

/// What a value is put in place of: `{{name}}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placeholder {
    /// Letters, digits, `_` and `-`.
    pub name: String,
    /// What it takes.
    pub kind: Kind,
    /// Whether a text without it, or without a value for it, is refused.
    pub required: bool,
}

/// A part of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The tag's name, or the heading.
    pub name: String,
    /// How it is set apart.
    pub delimiter: Delimiter,
    /// Whether a text without it is refused. One that is not is left out where a
    /// placeholder in it has no value.
    pub required: bool,
    /// Its words.
    pub content: String,
}

/// How a section is set apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delimiter {
    /// `<name>` and `</name>`, each on a line of its own.
    Xml,
    /// A line `## name`.
    Markdown,
}

impl Section {
    /// A section; blank lines around its words are no part of it.
    pub fn new(name: &str, delimiter: Delimiter, content: &str) -> Self {
        Self {
            name: name.to_owned(),
            delimiter,
            required: false,
            content: tidied(content).0,
        }
    }
}

/// Where a section stands in its text, in lines from 1; 0 is not known.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    /// Its tag or heading.
    pub(super) line: usize,
    /// Its first words.
    pub(super) words: usize,
}

/// The words without blank lines around them, and how many stood before.
pub(super) fn tidied(content: &str) -> (String, usize) {
    let content = content.replace('\r', "");
    let is_blank = |line: &&str| line.trim().is_empty();
    let lines: Vec<&str> = content.split('\n').collect();
    let before = lines.iter().take_while(|line| is_blank(line)).count();
    let after = lines.iter().rev().take_while(|line| is_blank(line)).count();
    let kept = lines.get(before..lines.len() - after.min(lines.len() - before));
    (kept.unwrap_or_default().join("\n"), before)
}

/// What tags, placeholders and templates may be called.
pub(super) fn is_name(name: &str) -> bool {
    let letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.chars().all(letter)
}

impl Template {
    /// Whether it may stand.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn validate(&self) -> Result<(), TemplateError> {
        self.check(&[])
    }

    pub(super) fn error(&self, line: usize, cause: Cause) -> TemplateError {
        TemplateError {
            template: self.name.clone(),
            line,
            cause,
        }
    }

    /// The same, of a text in which each section stands there.
    pub(super) fn check(&self, places: &[Place]) -> Result<(), TemplateError> {
        for (at, placeholder) in self.placeholders.iter().enumerate() {
            let name = &placeholder.name;
            if !is_name(name) {
                return Err(self.error(0, Cause::PlaceholderName(name.clone())));
            }
            if self.placeholders.iter().take(at).any(|it| it.name == *name) {
                return Err(self.error(0, Cause::PlaceholderTwice(name.clone())));
            }
        }
        let mut used: Vec<&str> = Vec::new();
        for (at, section) in self.sections.iter().enumerate() {
            let Place { line, words } = places.get(at).copied().unwrap_or_default();
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
