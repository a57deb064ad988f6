//! What a person writes, without what they quote and without addresses: neither is their own
//! word about themselves.

use crate::markdown::addresses;
use std::collections::BTreeSet;

/// What opens a quotation, and what closes it.
const QUOTES: [(char, char); 7] = [
    ('"', '"'),
    ('“', '”'),
    ('„', '“'),
    ('«', '»'),
    ('「', '」'),
    ('『', '』'),
    ('`', '`'),
];

/// Without quotations, quoted lines and addresses. A quotation that is not closed goes on to
/// the end of its line.
pub(super) fn unquoted(text: &str) -> String {
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('>'));
    let text = without_quotations(&lines.collect::<Vec<_>>().join("\n"));
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    for address in addresses(&text) {
        // They come in their order: each is searched behind the one before.
        if let Some((before, after)) = rest.split_once(address) {
            out.push_str(before);
            out.push(' ');
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

fn without_quotations(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // What nothing closes any more: looked for once.
    let mut open: BTreeSet<char> = BTreeSet::new();
    let mut before = ' ';
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let after = rest.get(letter.len_utf8()..).unwrap_or_default();
        let quote = QUOTES.iter().find(|(opens, _)| *opens == letter);
        let closes = match quote {
            Some((_, closes)) => Some(*closes),
            None if matches!(letter, '\'' | '‘') && !before.is_alphanumeric() => {
                closing_apostrophe(after).map(|_| '\'')
            }
            None => None,
        };
        let Some(closes) = closes else {
            out.push(letter);
            (before, rest) = (letter, after);
            continue;
        };
        let end = match closes {
            '\'' => closing_apostrophe(after),
            _ if open.contains(&closes) => None,
            _ => after.split_once(closes).map(|(_, behind)| behind),
        };
        if end.is_none() {
            open.insert(closes);
        }
        let line_end = || after.find('\n').and_then(|at| after.get(at..));
        rest = end.or_else(line_end).unwrap_or_default();
        out.push(' ');
        before = ' ';
    }
    out
}

/// How far an apostrophe that closes is looked for, in characters.
const NEAR: usize = 300;

/// What stands behind an apostrophe that closes and is not within a word.
fn closing_apostrophe(text: &str) -> Option<&str> {
    let mut letters = text.char_indices().take(NEAR).peekable();
    while let Some((at, letter)) = letters.next() {
        if letter == '\n' {
            return None;
        }
        let next = letters.peek().map(|(_, next)| *next);
        if matches!(letter, '\'' | '’') && next.is_none_or(|next| !next.is_alphanumeric()) {
            return text.get(at + letter.len_utf8()..);
        }
    }
    None
}
