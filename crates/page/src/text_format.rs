//! Reads texts that aren't web pages: plain text, Markdown, tables and JSON.
//!
//! Example: each row of a CSV file becomes a paragraph that contains the names of the columns. A
//! search can then find the row that answers a question, and the row can be understood without the
//! rest of the table. Only the outer structure is interpreted. The text within a paragraph stays
//! unchanged.

use super::{Document, Kind, Paragraph, ReadError, read};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The formats of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextFormat {
    /// A page in HTML.
    Html,
    /// Plain text.
    Plain,
    /// Markdown text.
    Markdown,
    /// Comma-, semicolon- or tab-separated values; the first row names the columns.
    Table,
    /// A JSON value.
    Json,
}

/// A JSON value of at most this many bytes stays in one paragraph.
const LONG: usize = 600;

/// JSON that is nested deeper than this many levels is not split.
const DEPTH: usize = 8;

/// The maximum length of the names of columns and JSON fields, in characters. Longer names are cut.
const MOST_NAME: usize = 64;

/// The maximum number of cells or values that are read. A limit is needed because in a table of
/// nothing but commas, each byte is a cell.
const MOST_CELLS: usize = 200_000;

/// The maximum length of the paragraphs of a table or JSON value together, in bytes. They may be
/// longer than the text, because each paragraph repeats the column names or the path.
const MOST_TEXT: usize = 16 * 1024 * 1024;

/// The text that marks the point where text was left out.
const LEFT_OUT: &str = "[…]";

/// Reads `text`, which comes from the address `url`. The address is used to resolve the links of
/// HTML.
///
/// # Errors
/// Returns [`ReadError::Empty`] if the text has no content.
pub fn read_as(form: TextFormat, text: &str, url: &str) -> Result<Document, ReadError> {
    let document = match form {
        TextFormat::Html => return read(text, url),
        TextFormat::Plain => Document::of_text(text),
        TextFormat::Markdown => document(markdown(text)),
        TextFormat::Table => document(rows(text)),
        TextFormat::Json => match serde_json::from_str(text) {
            Ok(value) => document(values(&value)),
            Err(_) => Document::of_text(text),
        },
    };
    if document.paragraphs.is_empty() {
        return Err(ReadError::Empty);
    }
    Ok(document)
}

fn document(paragraphs: Vec<(Kind, String)>) -> Document {
    let mut title = String::new();
    let numbered = (1..).zip(paragraphs).map(|(number, (kind, text))| {
        if title.is_empty() && kind == Kind::Heading(1) {
            title.clone_from(&text);
        }
        Paragraph {
            number,
            kind,
            markdown: text.clone(),
            text,
        }
    });
    let paragraphs = numbered.collect();
    Document {
        title,
        paragraphs,
        ..Document::default()
    }
}

/// Splits Markdown into headings, fenced code, list items, and paragraphs between empty lines.
fn markdown(text: &str) -> Vec<(Kind, String)> {
    let mut found: Vec<(Kind, String)> = Vec::new();
    let mut open: Option<(Kind, String)> = None;
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        let bare = line.trim();
        if let Some(mark) = fence {
            if let Some((_, code)) = &mut open {
                code.push('\n');
                code.push_str(line);
            }
            if bare.starts_with(mark) {
                fence = None;
                found.extend(open.take());
            }
            continue;
        }
        let mark = ["```", "~~~"]
            .into_iter()
            .find(|mark| bare.starts_with(mark));
        if mark.is_some() {
            fence = mark;
            found.extend(open.replace((Kind::Code, line.to_owned())));
        } else if bare.is_empty() {
            found.extend(open.take());
        } else if let Some((level, words)) = heading(bare) {
            found.extend(open.take());
            found.push((Kind::Heading(level), words.to_owned()));
        } else if is_item(bare) {
            found.extend(open.replace((Kind::Item, bare.to_owned())));
        } else {
            match &mut open {
                Some((_, words)) => {
                    words.push(' ');
                    words.push_str(bare);
                }
                None => open = Some((Kind::Prose, bare.to_owned())),
            }
        }
    }
    found.extend(open);
    found
}

fn heading(line: &str) -> Option<(u8, &str)> {
    let words = line.trim_start_matches('#');
    let level = line.len() - words.len();
    let words = words.strip_prefix(' ')?.trim();
    let level = u8::try_from(level).ok().filter(|it| (1..=6).contains(it))?;
    (!words.is_empty()).then_some((level, words.trim_end_matches('#').trim_end()))
}

fn is_item(line: &str) -> bool {
    let number = line.trim_start_matches(|it: char| it.is_ascii_digit());
    let is_numbered =
        number.len() < line.len() && (number.starts_with(". ") || number.starts_with(") "));
    is_numbered || ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark))
}

/// Returns each row as a paragraph such as "port: Brest; height: 7 m", with the names of its
/// columns.
fn rows(text: &str) -> Vec<(Kind, String)> {
    let separator = match text.lines().next() {
        Some(line) if line.contains('\t') => '\t',
        Some(line) if !line.contains(',') && line.contains(';') => ';',
        _ => ',',
    };
    let mut records = records(text, separator).into_iter();
    let columns: Vec<String> = records.next().unwrap_or_default();
    let columns: Vec<String> = columns.iter().map(|it| short(it)).collect();
    let named = |row: Vec<String>| {
        let cells = row.into_iter().enumerate();
        let cells = cells.filter(|(_, cell)| !cell.is_empty());
        let cells = cells.map(|(at, cell)| match columns.get(at) {
            Some(column) if !column.is_empty() => format!("{column}: {cell}"),
            _ => cell,
        });
        cells.collect::<Vec<_>>().join("; ")
    };
    let mut found = Vec::new();
    let mut left = MOST_TEXT;
    for row in records.map(named).filter(|row| !row.is_empty()) {
        let Some(less) = left.checked_sub(row.len()) else {
            found.push((Kind::Table, LEFT_OUT.to_owned()));
            break;
        };
        left = less;
        found.push((Kind::Table, row));
    }
    if found.is_empty() && !columns.is_empty() {
        found.push((Kind::Table, columns.join("; ")));
    }
    found
}

fn short(name: &str) -> String {
    match name.char_indices().nth(MOST_NAME) {
        Some((end, _)) => format!("{}…", name.get(..end).unwrap_or_default()),
        None => name.to_owned(),
    }
}

/// Parses comma-separated values by RFC 4180, but tolerates errors. A quoted cell without a closing
/// quotation mark extends to the end of the text. After [`MOST_CELLS`] cells, the parser adds
/// [`LEFT_OUT`] and stops.
fn records(text: &str, separator: char) -> Vec<Vec<String>> {
    let mut records = Vec::new();
    let (mut row, mut cell, mut quoted): (Vec<String>, String, bool) = Default::default();
    let mut letters = text.trim_start_matches('\u{feff}').chars().peekable();
    let mut cells = 0;
    while let Some(letter) = letters.next() {
        if cells == MOST_CELLS {
            row.push(LEFT_OUT.to_owned());
            cell.clear();
            break;
        }
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                cell.push('"');
            }
            '"' if quoted || cell.is_empty() => quoted = !quoted,
            '\n' if !quoted => {
                cells += 1;
                row.push(cell.trim().to_owned());
                cell.clear();
                records.push(std::mem::take(&mut row));
            }
            it if it == separator && !quoted => {
                cells += 1;
                row.push(cell.trim().to_owned());
                cell.clear();
            }
            it => cell.push(it),
        }
    }
    if !cell.trim().is_empty() || !row.is_empty() {
        row.push(cell.trim().to_owned());
        records.push(row);
    }
    records.retain(|row| row.iter().any(|cell| !cell.is_empty()));
    records
}

/// Writes the values of JSON, each after its path (`users[0].name`). A value that is longer than
/// [`LONG`] is split.
fn values(value: &Value) -> Vec<(Kind, String)> {
    let mut found = Vec::new();
    // The values that still have to be written; the next one is last. A stack is used instead of
    // recursion.
    let mut left = vec![(String::new(), value, 0)];
    let mut room = MOST_TEXT;
    while let Some((way, value, depth)) = left.pop() {
        let written = value.to_string();
        let parts: Vec<(String, &Value)> = match value {
            _ if written.len() <= LONG || depth >= DEPTH => Vec::new(),
            Value::Object(fields) => {
                let parts = fields.iter().take(MOST_CELLS);
                let dot = if way.is_empty() { "" } else { "." };
                parts
                    .map(|(name, part)| (format!("{way}{dot}{}", short(name)), part))
                    .collect()
            }
            Value::Array(items) => {
                let parts = items.iter().take(MOST_CELLS).enumerate();
                parts
                    .map(|(at, part)| (format!("{way}[{at}]"), part))
                    .collect()
            }
            _ => Vec::new(),
        };
        if parts.is_empty() {
            let written = match value {
                Value::String(text) => text.clone(),
                _ => written,
            };
            let around = if way.is_empty() {
                way
            } else {
                format!("{way}: ")
            };
            let told = format!("{around}{written}");
            let less = room.checked_sub(told.len());
            let Some(less) = less.filter(|_| found.len() < MOST_CELLS) else {
                found.push((Kind::Code, LEFT_OUT.to_owned()));
                break;
            };
            room = less;
            found.push((Kind::Code, told));
        }
        left.extend(
            parts
                .into_iter()
                .rev()
                .map(|(way, part)| (way, part, depth + 1)),
        );
    }
    found.retain(|(_, text)| {
        !text.is_empty() && !matches!(text.as_str(), "null" | "{}" | "[]" | "\"\"")
    });
    found
}

#[cfg(test)]
#[path = "text_format_tests.rs"]
mod tests;
