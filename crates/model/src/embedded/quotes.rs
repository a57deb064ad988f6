//! Answers a question with the sentences of the page that contain the answer.
//!
//! Driving example: for "When was the lamp lit?", the sentence "It was first lit in 1823." is
//! quoted. The sentence before it is quoted too, because "It" refers to that sentence. If the best
//! confidence is below [`LIKELY_CONFIDENCE`], the reply says that the page does not seem to contain
//! the answer. If the best confidence is below [`SURE_CONFIDENCE`], the quotes are labelled as the
//! closest passages.

use super::super::Reply;
use super::{Quoting, own_replies};
use crate::phrase::phrase;
use gloss_page::{Document, Kind, Paragraph, Sentence};
use gloss_text::Language;
use gloss_text::answer::{LIKELY_CONFIDENCE, SURE_CONFIDENCE, refers_back};
use gloss_text::embedding::Embeddings;

/// The maximum number of sentences that are quoted as the answer.
const QUOTES: usize = 3;

/// The maximum number of sentences that a search returns as candidates.
const LOOKED_AT: usize = 8;

/// The maximum difference between the confidence of a quoted sentence and the best confidence. A
/// sentence with a high confidence is thus quoted alone. A sentence with a low confidence is quoted
/// together with the next best sentences.
const KEEP: f64 = 0.5;

/// The maximum numbers of list items and of code lines that are quoted after the sentence that
/// introduces them.
const ITEMS: usize = 5;
const LINES: usize = 12;

/// Quotes the most likely sentences, in the order in which they are on the page.
pub(super) fn of(page: &Document, question: &str, meaning: Option<&Embeddings>) -> Reply {
    let found = page.find_answers(question, meaning, LOOKED_AT);
    let likeliest = found
        .answers
        .first()
        .map_or(0.0, |answer| answer.confidence);
    if likeliest < LIKELY_CONFIDENCE {
        if is_in_another_language(page, question) {
            return own_replies::other_language();
        }
        return own_replies::nothing_at(likeliest as f32);
    }
    let chosen = found.answers.iter().take(QUOTES);
    let chosen = chosen.filter(|answer| answer.confidence >= likeliest - KEEP);
    let mut places: Vec<usize> = chosen.map(|answer| answer.sentence).collect();
    with_antecedents(&mut places, &found.sentences);
    let mut quoting = Quoting::default();
    if likeliest < SURE_CONFIDENCE {
        quoting.label(phrase("lead_closest"));
    }
    for sentence in places.iter().filter_map(|at| found.sentences.get(*at)) {
        quoting.sentence(sentence);
        for paragraph in announced(page, sentence) {
            let is_quoted = places.iter().filter_map(|at| found.sentences.get(*at));
            let is_quoted = is_quoted
                .clone()
                .any(|s| s.paragraph.number == paragraph.number);
            if !is_quoted {
                quoting.paragraph(paragraph);
            }
        }
    }
    quoting.reply(likeliest as f32)
}

/// Adds the preceding sentence for each sentence that refers back, such as "It was lit." The result
/// is sorted.
fn with_antecedents(places: &mut Vec<usize>, sentences: &[Sentence<'_>]) {
    let before: Vec<usize> = places
        .iter()
        .filter_map(|at| {
            let (sentence, before) = (sentences.get(*at)?, at.checked_sub(1)?);
            let other = sentences.get(before)?;
            let together = other.paragraph.number == sentence.paragraph.number;
            (together && refers_back(sentence.text)).then_some(before)
        })
        .collect();
    places.extend(before);
    places.sort_unstable();
    places.dedup();
}

/// The list items or the code after a sentence that introduces them, such as "The parts are:".
fn announced<'a>(page: &'a Document, sentence: &Sentence<'_>) -> Vec<&'a Paragraph> {
    if !sentence.text.ends_with([':', '：']) {
        return Vec::new();
    }
    let after = usize::try_from(sentence.paragraph.number).unwrap_or(usize::MAX);
    let rest = page.paragraphs.get(after..).unwrap_or_default();
    let Some(first) = rest.first() else {
        return Vec::new();
    };
    match first.kind {
        Kind::Code if first.text.lines().count() <= LINES => vec![first],
        Kind::Item => {
            let items = rest
                .iter()
                .take_while(|paragraph| paragraph.kind == Kind::Item);
            items.take(ITEMS).collect()
        }
        Kind::Code
        | Kind::Heading(_)
        | Kind::Prose
        | Kind::Definition
        | Kind::Quote
        | Kind::Caption
        | Kind::Table => Vec::new(),
    }
}

/// Returns true if the question and the page are in different scripts, so that no word can match.
fn is_in_another_language(page: &Document, question: &str) -> bool {
    let asked = Language::of("", question);
    match (asked, page.text_language()) {
        (Language::Chinese, written) => written != Language::Chinese,
        (Language::English | Language::Other, Language::Chinese) => true,
        (Language::English | Language::Other, Language::English | Language::Other) => false,
    }
}
