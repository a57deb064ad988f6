//! Writes blocks as Markdown, for copies and exports.
//!
//! Example: a model writes `!\[[x](http://evil.example/p.png)`, which is an exclamation
//! mark and a link. Written back without care it would be an image, and the page into which the
//! user pastes it would load it. Text is escaped wherever a Markdown reader could take it for a
//! mark, and nowhere else, so that a copied text stays easy to read.

use super::{Block, Inline};
use std::fmt::Write as _;

/// The function that writes a citation of a passage as Markdown.
pub type WriteCite<'a> = dyn Fn(&str) -> String + 'a;

/// Writes blocks as Markdown, with an empty line between two blocks.
pub fn write(blocks: &[Block], cite: &WriteCite<'_>) -> String {
    let written: Vec<String> = blocks.iter().map(|it| block(it, cite)).collect();
    written.join("\n\n")
}

/// Writes plain text as Markdown, on one line.
pub fn write_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let words: Vec<&str> = text.split_whitespace().collect();
    push_text(&mut out, &words.join(" "));
    out
}

/// Escapes an address for the round brackets of a link.
pub fn write_target(url: &str) -> String {
    let mut out = String::with_capacity(url.len());
    for (at, character) in url.char_indices() {
        if character == '&' && begins_entity(url.get(at + 1..).unwrap_or_default()) {
            out.push('\\');
        }
        if "()<>\\".contains(character) || character.is_whitespace() || character.is_control() {
            for byte in character.encode_utf8(&mut [0; 4]).bytes() {
                let _ = write!(out, "%{byte:02X}");
            }
        } else {
            out.push(character);
        }
    }
    out
}

/// Returns true if the text after a `&` would be read as the name of a character.
fn begins_entity(rest: &str) -> bool {
    let end = rest.find(|it: char| !it.is_ascii_alphanumeric() && it != '#');
    end.is_some_and(|end| rest.get(end..).is_some_and(|it| it.starts_with(';')))
}

fn block(block: &Block, cite: &WriteCite<'_>) -> String {
    match block {
        Block::Paragraph { inlines } => line(inlines, "  \n", cite),
        Block::Heading { level, inlines } => {
            format!(
                "{} {}",
                "#".repeat((*level).into()),
                one_line(inlines, cite)
            )
        }
        Block::List { start, items } => {
            let items = items.iter().zip(0..).map(|(item, at)| {
                let mark =
                    start.map_or_else(|| "- ".to_owned(), |first| format!("{}. ", first + at));
                prefixed(&write(item, cite), &mark, &" ".repeat(mark.len()))
            });
            items.collect::<Vec<_>>().join("\n")
        }
        Block::Quote { blocks } => prefixed(&write(blocks, cite), "> ", "> "),
        Block::Code { language, text } => {
            let fence = "`".repeat(longest_run(text).max(2) + 1);
            let is_name = |it: char| it.is_alphanumeric() || "+-#._".contains(it);
            let language = if language.chars().all(is_name) {
                language
            } else {
                ""
            };
            format!(
                "{fence}{language}\n{}\n{fence}",
                text.trim_end_matches('\n')
            )
        }
        Block::Table { rows } => {
            let row = |cells: &Vec<Vec<Inline>>| {
                let cells = cells
                    .iter()
                    .map(|cell| one_line(cell, cite).replace('|', "\\|"));
                format!("| {} |", cells.collect::<Vec<_>>().join(" | "))
            };
            let mut lines: Vec<String> = rows.iter().map(row).collect();
            if let Some(head) = rows.first() {
                lines.insert(1, format!("|{}", " --- |".repeat(head.len())));
            }
            lines.join("\n")
        }
        Block::Rule => "---".to_owned(),
    }
}

/// Puts `first` before the first line of a text, and `rest` before the others.
fn prefixed(text: &str, first: &str, rest: &str) -> String {
    let lines = text.split('\n').enumerate().map(|(at, line)| {
        let mark = if at == 0 { first } else { rest };
        let mark = if line.is_empty() {
            mark.trim_end()
        } else {
            mark
        };
        format!("{mark}{line}")
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn line(inlines: &[Inline], line_break: &str, cite: &WriteCite<'_>) -> String {
    let mut out = String::new();
    push(&mut out, inlines, line_break, cite);
    out
}

fn one_line(inlines: &[Inline], cite: &WriteCite<'_>) -> String {
    line(inlines, " ", cite).replace('\n', " ")
}

fn push(out: &mut String, inlines: &[Inline], line_break: &str, cite: &WriteCite<'_>) {
    let around = |out: &mut String, [open, close]: [&str; 2], inlines: &[Inline]| {
        out.push_str(open);
        push(out, inlines, line_break, cite);
        out.push_str(close);
    };
    for inline in inlines {
        match inline {
            Inline::Text { text } => push_text(out, text),
            Inline::Strong { inlines } => around(out, ["**", "**"], inlines),
            Inline::Emphasis { inlines } => around(out, ["*", "*"], inlines),
            Inline::Code { text } => push_code(out, text),
            Inline::Link { url, inlines, .. } => {
                around(out, ["[", &format!("]({})", write_target(url))], inlines);
            }
            Inline::Cite { passage } => out.push_str(&cite(passage)),
            Inline::Break => out.push_str(line_break),
        }
    }
}

/// Adds code, between more backticks than the code has in a row.
fn push_code(out: &mut String, code: &str) {
    let fence = "`".repeat(longest_run(code) + 1);
    let space = if code.starts_with(['`', ' ']) || code.ends_with(['`', ' ']) {
        " "
    } else {
        ""
    };
    out.extend([&fence, space, code, space, &fence]);
}

/// Returns the length of the longest row of backticks.
fn longest_run(text: &str) -> usize {
    let runs = text.split(|it| it != '`').map(str::len);
    runs.max().unwrap_or_default()
}

/// Adds text. The next inline may begin with any mark, so a mark at the end of the text is escaped.
fn push_text(out: &mut String, text: &str) {
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if is_mark(out, character, characters.peek().copied()) {
            out.push('\\');
        }
        out.push(character);
    }
}

/// Returns true if a character after `out` and before `next` could be read as a mark.
fn is_mark(out: &str, character: char, next: Option<char>) -> bool {
    let before = out.chars().next_back();
    let is_first = matches!(before, None | Some('\n'));
    let is_space = |it: Option<char>| it.is_none_or(char::is_whitespace);
    let is_letter = |it: Option<char>| it.is_some_and(char::is_alphanumeric);
    match character {
        '`' | '[' | ']' => true,
        '\\' => next.is_none_or(|it| it.is_ascii_punctuation() || it == '\n'),
        '*' => is_first || next.is_none() || !(is_space(before) && is_space(next)),
        '_' => !(is_letter(before) && is_letter(next)),
        '<' => next.is_none_or(|it| it.is_ascii_alphabetic() || "/!?".contains(it)),
        '&' => next.is_none_or(|it| it.is_ascii_alphanumeric() || it == '#'),
        '!' => next.is_none(),
        '~' => before == Some('~') || next.is_none_or(|it| it == '~'),
        '#' | '>' | '=' | '|' => is_first,
        '-' | '+' => is_first && (is_space(next) || next == Some('-')),
        ':' => is_first && next == Some('-'),
        '.' | ')' => is_space(next) && follows_number(out),
        _ => false,
    }
}

/// Returns true if the line consists of a number so far, as before the mark of a list.
fn follows_number(out: &str) -> bool {
    let digits = out.bytes().rev().take(10);
    let digits = digits.take_while(u8::is_ascii_digit).count();
    let before = out.len().checked_sub(digits + 1);
    let before = before.and_then(|at| out.as_bytes().get(at));
    (1..=9).contains(&digits) && matches!(before, None | Some(b'\n'))
}

#[cfg(test)]
#[path = "write_tests.rs"]
mod tests;
