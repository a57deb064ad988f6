//! An explanation: the page's own definition or uses of a term.

use super::super::{PassagesData, Reply};
use super::{answered, cited, nothing, sentences_of};
use crate::page::Document;

/// At most this many sentences are quoted.
const QUOTES: usize = 4;

/// Quotes the sentences that the tool chose, best first.
pub(super) fn of(page: &Document, data: &PassagesData) -> Reply {
    let quotes: Vec<String> = sentences_of(page, data)
        .iter()
        .take(QUOTES)
        .map(|sentence| format!("> {}", cited(sentence)))
        .collect();
    if quotes.is_empty() {
        return nothing();
    }
    answered(quotes.join("\n\n"), 0.8)
}
