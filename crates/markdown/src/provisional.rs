//! A growing answer as if it ended here: what is open is closed, what is half
//! written is held back until it is whole.
//!
//! Works on the source, before it is parsed, and only on its last line and the
//! words of its last block: `**bold` becomes `**bold**`, `see [[p14` becomes
//! `see `, a table's header waits for the line under it. No mark is ever shown
//! that a reader would see turn into something else.

use super::outline::{Leaf, Outline};
use super::spans::{Held, scan};

/// How often words may be held back in one text: each time takes a scan.
const MOST_CUTS: usize = 8;

/// `source` closed.
pub(super) fn closed(source: &str) -> String {
    let mut text = source.to_owned();
    for _ in 0..MOST_CUTS {
        let outline = Outline::of(&text);
        if let Some(at) = held_line(&text, &outline).filter(|at| *at < text.len()) {
            text.truncate(at);
            continue;
        }
        let Some(words) = open_words(&text, &outline) else {
            return text;
        };
        match scan(text.get(words..).unwrap_or_default()) {
            Held::From(at) => text.truncate(words + at),
            Held::Nothing { closers } => {
                // Emphasis ends at a word; in code a space may be all that keeps
                // a mark of its own from the closing one.
                if !closers.is_empty() && !closers.starts_with('`') {
                    text.truncate(text.trim_end().len());
                }
                text.push_str(&closers);
                return text;
            }
        }
    }
    text
}

/// Where the last line begins, if it may yet become something else.
fn held_line(text: &str, outline: &Outline) -> Option<usize> {
    let end = text.trim_end().len();
    let start = text.rfind('\n').map_or(0, |at| at + 1);
    let line = text.get(start..).unwrap_or_default();
    if let Some(Leaf::Raw(range)) = &outline.leaf
        && range.end >= end
    {
        return is_fence(line).then_some(start);
    }
    let in_table = outline.table.as_ref().is_some_and(|range| range.end >= end);
    if line.is_empty() {
        // The header of what may be a table waits for the line under it.
        let above = text.strip_suffix('\n')?;
        let start = above.rfind('\n').map_or(0, |at| at + 1);
        let line = above.get(start..)?;
        return (!in_table && is_row(line)).then_some(start);
    }
    (in_table || is_row(line) || is_undecided(line)).then_some(start)
}

/// Where the last words begin, if more of them may follow.
fn open_words(text: &str, outline: &Outline) -> Option<usize> {
    let (range, lines) = match outline.leaf.as_ref()? {
        Leaf::Words(range) => (range, 1),
        Leaf::Line(range) => (range, 0),
        Leaf::Raw(_) => return None,
    };
    let after = text.get(range.end..)?;
    let goes_on = after.trim().is_empty() && after.matches('\n').count() <= lines;
    goes_on.then_some(range.start)
}

/// Without the marks of the quotations that a line stands in.
fn unquoted(line: &str) -> &str {
    line.trim_start_matches([' ', '\t', '>'])
}

fn is_row(line: &str) -> bool {
    unquoted(line).starts_with('|')
}

fn is_fence(line: &str) -> bool {
    let line = unquoted(line);
    !line.is_empty() && (line.chars().all(|c| c == '`') || line.chars().all(|c| c == '~'))
}

/// Marks alone: a list's, a heading's, a rule's, a fence's. The next character tells.
fn is_undecided(line: &str) -> bool {
    let line = unquoted(line);
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = match line.get(digits..) {
        Some(rest) if (1..=9).contains(&digits) => rest.strip_prefix(['.', ')']).unwrap_or(rest),
        _ => line,
    };
    rest.chars().all(|c| {
        matches!(
            c,
            ' ' | '\t' | '-' | '=' | '*' | '_' | '+' | '#' | '>' | '`' | '~' | ':' | '|'
        )
    })
}

#[cfg(test)]
#[path = "provisional_tests.rs"]
mod tests;
