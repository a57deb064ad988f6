//! Writes a template as text.

use super::parse::is_marked;
use super::{Delimiter, Section, Template};
use std::fmt;

impl fmt::Display for Template {
    /// Writes the template as text. [`Template::parse`] makes an equal template from this text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "template {}", self.name)?;
        for placeholder in &self.placeholders {
            let (name, kind) = (&placeholder.name, placeholder.kind.id());
            let required = if placeholder.required {
                " required"
            } else {
                ""
            };
            writeln!(f, "placeholder {name} {kind}{required}")?;
        }
        for section in self.sections.iter().filter(|it| it.required) {
            writeln!(f, "required {}", section.name)?;
        }
        writeln!(f)?;
        f.write_str(&self.body())
    }
}

impl Template {
    /// Returns the text that the user reads and edits: the sections, without the header.
    pub fn body(&self) -> String {
        let sections = self.sections.iter().map(|section| {
            let lines = section.content.split('\n').map(|line| {
                // Without the backslash, this line would begin or end a section.
                if is_marked(line) {
                    format!("\\{line}")
                } else {
                    line.to_owned()
                }
            });
            delimited(section, &lines.collect::<Vec<_>>().join("\n"))
        });
        sections.collect::<Vec<_>>().join("\n\n")
    }
}

/// Returns the text of a section with its delimiters.
pub(super) fn delimited(section: &Section, words: &str) -> String {
    let name = &section.name;
    match section.delimiter {
        Delimiter::Xml => format!("<{name}>\n{words}\n</{name}>"),
        Delimiter::Markdown => format!("## {name}\n{words}"),
    }
}
