//! Recognises sentences that define a term.
//!
//! Example: "A mutex is a lock that one thread holds at a time." The rules are tables of
//! phrases that definitions use.

use super::super::Language;
use super::super::language::length;
use super::mention::{Mention, Term, lowered};

/// Phrases that follow the term in a definition, each with the certainty of a definition.
#[rustfmt::skip]
const AFTER: &[(&str, f64)] = &[
    (" refers to ", 1.0), (" is defined as ", 1.0), (" is short for ", 1.0),
    (" stands for ", 1.0), (" means ", 0.9), (" denotes ", 0.9), (" consists of ", 0.7),
    (" describes ", 0.6), (" is a ", 1.0), (" is an ", 1.0), (" is the ", 0.9),
    (" are the ", 0.7), (" is one of ", 0.9), (" was a ", 0.8), (" was an ", 0.8),
    (" was the ", 0.7), (" are a ", 0.8), (" are an ", 0.8), (" is any ", 0.8), (" are ", 0.5),
    (" is ", 0.4), (", also known as ", 0.8), (", also called ", 0.8), (", or ", 0.5),
    (", a ", 0.7), (", an ", 0.7), (", which is ", 0.8), (", which are ", 0.7), (": ", 0.5),
    (" – ", 0.5), (" — ", 0.5), (" - ", 0.5),
];

#[rustfmt::skip]
const AFTER_CHINESE: &[(&str, f64)] = &[
    ("是指", 1.0), ("指的是", 1.0), ("，是指", 1.0), ("是一", 1.0), ("，是一", 0.9),
    ("是由", 0.8), ("定义为", 1.0), ("的定义是", 1.0), ("的意思是", 1.0), ("意思是", 0.9),
    ("意为", 0.9), ("表示", 0.6), ("即", 0.7), ("，即", 0.7), ("又称", 0.8), ("，又称", 0.8),
    ("也称", 0.8), ("，也称", 0.8), ("也叫", 0.8), ("，也叫", 0.8), ("又叫", 0.8), ("，又叫", 0.8), ("简称", 0.8), ("全称", 0.9),
    ("指", 0.7), ("是", 0.5), ("：", 0.6), (": ", 0.5), ("（即", 0.8), ("——", 0.6),
];

/// Phrases that precede a term when the sentence introduces the term, each with the certainty of a
/// definition.
#[rustfmt::skip]
const BEFORE: &[(&str, f64)] = &[
    ("called ", 0.8), ("known as ", 0.8), ("termed ", 0.8), ("named ", 0.6), ("so-called ", 0.6),
    ("referred to as ", 0.8), ("the term ", 0.7), ("defined as ", 0.4), ("所谓", 0.9),
    ("所谓的", 0.9), ("称为", 0.8), ("称作", 0.8), ("叫做", 0.8), ("叫作", 0.8), ("称之为", 0.8), ("名为", 0.7),
    ("又称", 0.7), ("简称", 0.7), ("被称为", 0.8), ("叫", 0.4),
];

/// The certainty that a sentence of the form "A term is …" defines the term.
const GENERIC: f64 = 0.6;

/// Returns the certainty that `sentence` defines `term`: above 0, at most 1. Returns `None` if the
/// sentence doesn't define `term`.
pub(super) fn strength(term: &Term<'_>, sentence: &str) -> Option<f64> {
    let lowered = lowered(sentence);
    term.mentions(&lowered)
        .iter()
        .filter_map(|mention| stronger(by_what_follows(term, mention), by_what_leads(mention)))
        .max_by(f64::total_cmp)
}

fn stronger(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    a.into_iter().chain(b).max_by(f64::total_cmp)
}

/// Matches "X is a Y" if X is the subject: only an article or a short adverbial may precede X.
fn by_what_follows(term: &Term<'_>, mention: &Mention<'_>) -> Option<f64> {
    let before = mention.before.trim_matches(|c: char| !c.is_alphanumeric());
    let distance = match before {
        "" | "a" | "an" | "the" => 1.0,
        _ if mention.before.ends_with(", ") || mention.before.ends_with('，') => 0.8,
        _ if length(before) <= 3.0 => 0.6,
        _ => return None,
    };
    let after = past_brackets(mention.after)
        .trim_start_matches(['”', '"', '’', '\'', '」', '》', '`', '*', '_']);
    let phrases = match term.language {
        Language::Chinese => AFTER_CHINESE,
        Language::English | Language::Other => AFTER,
    };
    // After "a" or "an" and the term, "is" alone is enough for a definition: "An occulting light is
    // bright for longer than it is dark".
    let generic = matches!(before, "a" | "an") && after.starts_with(" is ");
    let told = find(phrases, |phrase| after.starts_with(phrase)).map(|sure| sure * distance);
    stronger(told, generic.then_some(GENERIC))
}

fn by_what_leads(mention: &Mention<'_>) -> Option<f64> {
    let quoted = ['“', '"', '‘', '\'', '「', '《', '`', '*', '_'];
    let before = mention.before.trim_end_matches(quoted);
    let bare = ["a ", "an ", "the "]
        .iter()
        .find_map(|article| before.strip_suffix(article))
        .unwrap_or(before);
    find(BEFORE, |phrase| bare.ends_with(phrase))
}

fn find(phrases: &[(&str, f64)], fits: impl Fn(&str) -> bool) -> Option<f64> {
    let fitting = phrases.iter().filter(|(phrase, _)| fits(phrase));
    fitting.map(|(_, sure)| *sure).max_by(f64::total_cmp)
}

/// Returns the text after a pair of brackets, round or full-width, at the beginning of `after`.
fn past_brackets(after: &str) -> &str {
    let inner = after.trim_start();
    let closed = [('(', ')'), ('（', '）')].iter().find_map(|(open, close)| {
        let (_, rest) = inner.strip_prefix(*open)?.split_once(*close)?;
        Some(rest)
    });
    closed.unwrap_or(after)
}
