//! The syntax of placeholders, `{{name}}`, and of names.

/// A part of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    Words(&'a str),
    /// The name in `{{name}}`.
    Placeholder(&'a str),
    /// A `{{` that does not begin a placeholder, and the rest of the line.
    Broken(&'a str),
}

/// Splits a line at its placeholders.
pub(super) fn pieces(line: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = line;
    while let Some((words, braced)) = rest.split_once("{{") {
        pieces.push(Piece::Words(words));
        match braced.split_once("}}") {
            Some((name, after)) if is_name(name.trim()) => {
                pieces.push(Piece::Placeholder(name.trim()));
                rest = after;
            }
            _ => {
                let from = rest.len() - braced.len() - 2;
                pieces.push(Piece::Broken(rest.get(from..).unwrap_or_default()));
                return pieces;
            }
        }
    }
    pieces.push(Piece::Words(rest));
    pieces
}

/// Returns true for a valid name of a tag, placeholder or template.
pub(super) fn is_name(name: &str) -> bool {
    let letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.chars().all(letter)
}
