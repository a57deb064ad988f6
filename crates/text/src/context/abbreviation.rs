//! Recognises sentences that contain both an abbreviation and its full name.
//!
//! Example: "the World Health Organization (WHO)", or "WHO (World Health Organization)".
//! Authors usually introduce abbreviations with brackets. Without brackets, capitalised words with
//! the letters of the abbreviation are its full name.

use super::super::language::is_cjk;
use super::mention::Term;

/// Words that an abbreviation may skip: USA is short for "United States of America".
const SILENT: &[&str] = &[
    "a", "an", "and", "at", "by", "for", "in", "of", "on", "the", "to", "with",
];

/// Returns the certainty that `sentence` gives the full name of `term`, an abbreviation, or the
/// abbreviation of `term`: above 0, at most 1. Returns `None` if the sentence gives neither.
pub(super) fn strength(term: &Term<'_>, sentence: &str) -> Option<f64> {
    if term.is_abbreviation() && is_initials(term.text, sentence) {
        return Some(0.6);
    }
    pairs(sentence)
        // "$(CPPFLAGS)" is code.
        .filter(|(outside, _)| !outside.ends_with('$'))
        .filter_map(|(outside, inside)| {
            let last = outside.rsplit(char::is_whitespace).next()?;
            let (name, short) = if Term::new(inside).is_abbreviation() {
                (outside, inside)
            } else {
                (inside, last)
            };
            let is_asked = short == term.text || name.ends_with(term.text);
            let is_abbreviation = Term::new(short).is_abbreviation();
            (is_asked && is_abbreviation)
                .then(|| expands(name, short))
                .flatten()
        })
        .max_by(f64::total_cmp)
}

/// Returns true if the sentence contains capitalised words with these initials in a row.
fn is_initials(short: &str, sentence: &str) -> bool {
    let words = sentence.split(|c: char| !c.is_alphanumeric());
    let initials: String = words
        .filter_map(|word| word.chars().next())
        .map(|c| if c.is_uppercase() { c } else { ' ' })
        .collect();
    short.len() > 2 && initials.contains(short)
}

/// Returns the text before each opening bracket, and the text inside the brackets.
fn pairs(sentence: &str) -> impl Iterator<Item = (&str, &str)> {
    sentence
        .match_indices(['(', '（'])
        .filter_map(|(at, open)| {
            let outside = sentence.get(..at)?.trim_end();
            let rest = sentence.get(at + open.len()..)?;
            let inside = rest.split([')', '）', ',', '，', ';', '；']).next()?;
            Some((outside, inside.trim_matches(|c: char| !c.is_alphanumeric())))
        })
}

/// Returns the certainty that the last words of `name` are the full form of `short`.
fn expands(name: &str, short: &str) -> Option<f64> {
    if name.chars().next_back().is_some_and(is_cjk) {
        // "世界卫生组织（WHO）" has no initials to compare. Short Latin text in brackets after Chinese text
        // is nearly always an abbreviation, however.
        return Some(0.8);
    }
    let letters: Vec<char> = short
        .trim_end_matches('s')
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    let words: Vec<String> = name
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let wanted = letters.len();
    let spoken = |word: &&String| !SILENT.contains(&word.as_str());
    // The initials of the last words must be the letters of the abbreviation.
    for drops_silent in [true, false] {
        let initials: Vec<char> = words
            .iter()
            .filter(|word| !drops_silent || spoken(word))
            .filter_map(|word| word.chars().next())
            .collect();
        let tail = initials
            .len()
            .checked_sub(wanted)
            .and_then(|at| initials.get(at..));
        if tail == Some(letters.as_slice()) {
            return Some(1.0);
        }
    }
    is_spread(&words, &letters).then_some(0.7)
}

/// Returns true if the letters occur in this order within few words: XML in "eXtensible Markup
/// Language".
fn is_spread(words: &[String], letters: &[char]) -> bool {
    let few = words.len().min(letters.len());
    let tail: String = words.get(words.len() - few..).unwrap_or_default().concat();
    let mut rest = tail.chars();
    few > 1 && letters.iter().all(|letter| rest.any(|c| c == *letter))
}
