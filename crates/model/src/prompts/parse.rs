//! Parses a template's text.

use super::placeholder::is_name;
use super::template::{SectionLines, trim_blank_lines};
use super::{Cause, Delimiter, Kind, Placeholder, Section, Template, TemplateError};

/// The maximum length of a user's own text, in characters. A text of this length adds about 2 000
/// tokens to every call.
pub const MOST_LETTERS: usize = 8_000;

/// A line that begins or ends a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark<'a> {
    /// The tag `<name>`.
    Opens(&'a str),
    /// The tag `</name>`.
    Closes(&'a str),
    /// The heading `## name`.
    Heads(&'a str),
}

pub(super) fn mark(line: &str) -> Option<Mark<'_>> {
    let line = line.trim_end();
    if let Some(heading) = line.strip_prefix("## ") {
        return Some(Mark::Heads(heading.trim())).filter(|_| !heading.trim().is_empty());
    }
    let tag = line.strip_prefix('<')?.strip_suffix('>')?;
    let (name, mark) = match tag.strip_prefix('/') {
        Some(name) => (name, Mark::Closes(name)),
        None => (tag, Mark::Opens(tag)),
    };
    is_name(name).then_some(mark)
}

/// Returns true if a line without its leading backslashes begins or ends a section.
pub(super) fn is_marked(line: &str) -> bool {
    mark(line.trim_start_matches('\\')).is_some()
}

/// Removes the escape from a line of a section. The escape is a leading backslash: `\</name>` is
/// text, while `</name>` ends the section.
fn unescape_line(line: &str) -> &str {
    match line.strip_prefix('\\') {
        Some(rest) if is_marked(line) => rest,
        _ => line,
    }
}

impl Template {
    /// Parses and validates a template's text.
    ///
    /// # Errors
    /// The first error in the text, with its line.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        let mut template = Self {
            name: String::new(),
            placeholders: Vec::new(),
            sections: Vec::new(),
        };
        let mut required = Vec::new();
        let mut head = 0;
        for (at, line) in text.lines().enumerate() {
            head = at + 1;
            if line.trim().is_empty() {
                break;
            }
            let refused = || Cause::Header(line.to_owned());
            match line.split_once(' ') {
                Some(("template", name)) if is_name(name) && at == 0 => {
                    name.clone_into(&mut template.name);
                }
                Some(("placeholder", declared)) if at > 0 => match placeholder(declared) {
                    Some(placeholder) => template.placeholders.push(placeholder),
                    None => return Err(template.error(head, refused())),
                },
                Some(("required", name)) if at > 0 => required.push((head, name)),
                _ => return Err(template.error(head, refused())),
            }
        }
        if template.name.is_empty() {
            return Err(template.error(1, Cause::Header(String::new())));
        }
        let body = text.lines().enumerate().skip(head);
        let (sections, places) = sections(&template, body)?;
        template.sections = sections;
        for (line, name) in required {
            let section = template.sections.iter_mut().find(|it| it.name == name);
            match section {
                Some(section) => section.required = true,
                None => return Err(template.error(line, Cause::SectionMissing(name.to_owned()))),
            }
        }
        template.check(&places)?;
        Ok(template)
    }

    /// Makes a template with the sections of `text`. The new template has the same required
    /// sections and placeholders as `self`.
    ///
    /// # Errors
    /// The first error in `text`, with its line.
    pub fn with_body(&self, text: &str) -> Result<Self, TemplateError> {
        if text.chars().count() > MOST_LETTERS {
            return Err(self.error(0, Cause::TooLong(MOST_LETTERS)));
        }
        let (mut sections, places) = sections(self, text.lines().enumerate())?;
        for required in self.sections.iter().filter(|it| it.required) {
            match sections.iter_mut().find(|it| it.name == required.name) {
                Some(section) => section.required = true,
                None => {
                    return Err(self.error(0, Cause::SectionMissing(required.name.clone())));
                }
            }
        }
        let own = Self {
            sections,
            ..self.clone()
        };
        own.check(&places)?;
        Ok(own)
    }
}

/// Parses a declaration such as `question string required`.
fn placeholder(declared: &str) -> Option<Placeholder> {
    let mut words = declared.split(' ');
    let placeholder = Placeholder {
        name: words.next()?.to_owned(),
        kind: Kind::of(words.next()?)?,
        required: match words.next() {
            None => false,
            Some("required") => true,
            Some(_) => return None,
        },
    };
    words.next().is_none().then_some(placeholder)
}

struct Open<'a> {
    name: &'a str,
    delimiter: Delimiter,
    /// The line number of the section's tag or heading, from 1.
    line: usize,
    lines: Vec<&'a str>,
}

/// The parsed sections, and for each section the line numbers for error messages.
#[derive(Default)]
struct Read {
    sections: Vec<Section>,
    places: Vec<SectionLines>,
}

impl Read {
    fn take(&mut self, open: Option<Open<'_>>) {
        let Some(open) = open else { return };
        let (content, before) = trim_blank_lines(&open.lines.join("\n"));
        self.sections
            .push(Section::new(open.name, open.delimiter, &content));
        self.places.push(SectionLines {
            line: open.line,
            words: open.line + 1 + before,
        });
    }
}

fn sections<'a>(
    template: &Template,
    text: impl Iterator<Item = (usize, &'a str)>,
) -> Result<(Vec<Section>, Vec<SectionLines>), TemplateError> {
    let mut read = Read::default();
    let mut open: Option<Open<'a>> = None;
    for (at, line) in text {
        let begins = |name, delimiter| Open {
            name,
            delimiter,
            line: at + 1,
            lines: Vec::new(),
        };
        let mark = mark(line);
        if let Some(xml) = open.as_mut().filter(|it| it.delimiter == Delimiter::Xml) {
            if mark == Some(Mark::Closes(xml.name)) {
                read.take(open.take());
            } else {
                xml.lines.push(unescape_line(line));
            }
            continue;
        }
        match (mark, &mut open) {
            (Some(Mark::Opens(name)), _) => {
                read.take(open.replace(begins(name, Delimiter::Xml)));
            }
            (Some(Mark::Heads(name)), _) => {
                read.take(open.replace(begins(name, Delimiter::Markdown)));
            }
            (None, Some(markdown)) => markdown.lines.push(unescape_line(line)),
            (None, None) if line.trim().is_empty() => {}
            (Some(Mark::Closes(_)), _) | (None, None) => {
                return Err(template.error(at + 1, Cause::Outside(line.trim().to_owned())));
            }
        }
    }
    match open {
        Some(open) if open.delimiter == Delimiter::Xml => {
            let cause = Cause::NotClosed(open.name.to_owned());
            Err(template.error(open.line, cause))
        }
        open => {
            read.take(open);
            Ok((read.sections, read.places))
        }
    }
}
