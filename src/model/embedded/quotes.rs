//! An answer to a question: the sentences that bear on it.

use super::super::{PassagesData, Reply};
use super::{answered, cited, nothing, sentences_of};
use crate::page::Document;
use crate::text::index::{Entry, Index};

/// At most this many sentences are quoted.
const QUOTES: usize = 3;

/// A sentence weaker than this share of the best one is not quoted beside it.
const KEEP: f64 = 0.5;

/// Quotes the best sentences of the passages found, in the page's order.
pub(super) fn of(page: &Document, question: &str, data: &PassagesData) -> Reply {
    let sentences = sentences_of(page, data);
    let entries = sentences.iter().map(|sentence| Entry {
        heading: "",
        text: sentence.text,
    });
    let hits = Index::new(page.written_in(), entries).search(question, QUOTES);
    let Some(best) = hits.first().map(|hit| hit.score) else {
        return nothing();
    };
    let mut chosen: Vec<_> = hits
        .iter()
        .filter(|hit| hit.score >= best * KEEP)
        .filter_map(|hit| sentences.get(hit.item))
        .collect();
    chosen.sort_unstable_by_key(|sentence| (sentence.paragraph.number, sentence.place));
    let quotes: Vec<String> = chosen
        .into_iter()
        .map(|sentence| format!("> {}", cited(sentence)))
        .collect();
    answered(quotes.join("\n\n"), 0.7)
}
