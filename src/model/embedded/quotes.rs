//! An answer to a question: the sentences that bear on it.

use super::super::Reply;
use super::{answered, cited, nothing};
use crate::page::Document;
use crate::text::answer::{SAYS, SURE};

/// At most this many sentences are quoted, and looked at.
const QUOTES: usize = 3;
const LOOKED_AT: usize = 6;

/// A sentence that is less likely than the best by this much is not quoted beside it.
const KEEP: f64 = 0.25;

/// Quotes the best sentences of the passages found, in the page's order.
pub(super) fn of(page: &Document, question: &str) -> Reply {
    let found = page.answering(question, LOOKED_AT);
    let Some(best) = found.answers.first().map(|answer| answer.confidence) else {
        return nothing();
    };
    if best < SAYS {
        return nothing();
    }
    let mut chosen: Vec<_> = found.answers
        .iter()
        .take(QUOTES)
        .filter(|answer| answer.confidence >= (best - KEEP))
        .filter_map(|answer| found.sentences.get(answer.sentence))
        .collect();
    chosen.sort_unstable_by_key(|sentence| (sentence.paragraph.number, sentence.place));
    let quotes: Vec<String> = chosen
        .into_iter()
        .map(|sentence| format!("> {}", cited(sentence)))
        .collect();
    answered(quotes.join("\n\n"), best as f32)
}
