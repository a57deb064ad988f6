//! Splits text into sentences, each a verbatim slice of the text.
//!
//! Example: "See Fig. 3 of Dr. Who's paper (e.g. p. 12). It costs 3.50." is two sentences. The
//! first step finds Unicode's sentence boundaries (UAX 29) and some more positions. The second step
//! checks the text before and after each position. If a sentence begins inside a quotation, it
//! contains one quotation mark without a partner.

use super::candidates::candidates;
use super::english::{self, Stop};
use super::language::{Language, is_cjk};
use super::long_sentences::split_long;
use super::marks::{first, is_closer, is_opener, is_terminator, item};
use super::{other_abbreviations, quotes};

/// The minimum number of Chinese characters before "；" at the end of a sentence. A shorter clause
/// doesn't end a sentence.
const MIN_CLAUSE_CHARS: usize = 20;

/// The number of bytes that are read before and after a position.
const WINDOW: usize = 512;

/// The number of bytes at the beginning of a list item that contain the item's number.
const LABEL: usize = 32;

/// Returns the sentences of `text` in order, trimmed. Only white space is lost. A single line break
/// is read as a space, and an empty line ends a sentence. Overlong sentences are cut at pauses such
/// as commas.
pub fn sentences(text: &str, language: Language) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for end in candidates(text) {
        let (Some(before), Some(after)) = (text.get(start..end), text.get(end..)) else {
            continue;
        };
        if begins_next_item(before, after) || is_boundary(tail(before), head(after), language) {
            found.extend(split_long(before));
            start = end;
        }
    }
    found.extend(split_long(text.get(start..).unwrap_or_default()));
    found
}

/// Returns the part of `text` from the beginning of `first` to the end of `last`. Both must be
/// slices of `text`.
pub fn joined<'a>(text: &'a str, first: &str, last: &str) -> &'a str {
    let end = offset(text, last) + last.len();
    text.get(offset(text, first)..end).unwrap_or_default()
}

/// Returns the position of `slice`, a slice of `text`, in bytes.
pub(super) fn offset(text: &str, slice: &str) -> usize {
    slice.as_ptr().addr().saturating_sub(text.as_ptr().addr())
}

/// Returns true if `after` begins with the next item of a list on one line, as before "2)" in "1)
/// flour 2) salt".
fn begins_next_item(before: &str, after: &str) -> bool {
    let labelled = |text| item(first(text, LABEL));
    let Some((next, same)) = labelled(after) else {
        return false;
    };
    labelled(before).is_some_and(|(this, mark)| mark == same && next == this + 1)
        && head(before).trim().len() > 4
}

/// Returns the end of the text before a position. Its length is limited, because a transcript
/// without full stops would otherwise be read again for each position.
fn tail(before: &str) -> &str {
    let from = before.floor_char_boundary(before.len().saturating_sub(WINDOW));
    before.get(from..).unwrap_or(before)
}

/// Returns the beginning of the text after a position.
fn head(after: &str) -> &str {
    first(after, WINDOW)
}

fn is_boundary(before: &str, after: &str, language: Language) -> bool {
    // Quotation marks are checked last, because that check takes longest.
    ends(before, after, language) && !quotes::is_within(before.trim_end(), after)
}

/// Returns true if a sentence ends between `before` and `after`, without regard to quotations.
fn ends(before: &str, after: &str, language: Language) -> bool {
    let sentence = before.trim_end();
    // A mark that opens a quotation in one language closes a quotation in another. At the end of a
    // sentence, such a mark is a closing one: „So.“ Wir.
    let is_closing = |c: char| is_closer(c) || matches!(c, '“' | '‘' | '«');
    let bare = without_reference_marks(sentence).trim_end_matches(is_closing);
    let Some(mark) = bare.chars().next_back() else {
        return false;
    };
    match mark {
        '。' | '！' | '？' | '｡' => !goes_on(sentence, after),
        '；' => bare.chars().filter(|c| is_cjk(*c)).count() >= MIN_CLAUSE_CHARS,
        '…' => ends_with_ellipsis(bare, after),
        '.' | '!' | '?' => {
            before.ends_with(char::is_whitespace)
                && ends_with_latin_mark(sentence, bare, after, language)
        }
        _ if is_terminator(mark) => true,
        _ => is_paragraph_break(before, after),
    }
}

/// Returns true if the sentence continues after a quotation with a speaker ("“好。”，他说"), or after
/// brackets that contain only a part of the sentence.
fn goes_on(sentence: &str, after: &str) -> bool {
    let in_brackets = sentence.ends_with('）') && !sentence.starts_with('（');
    in_brackets || sentence.ends_with(is_closer) && quotes::is_attributed(after)
}

/// Returns true at the end of "他走了……", but not within "从一、二……到十" and "wait… for it".
fn ends_with_ellipsis(bare: &str, after: &str) -> bool {
    let next = after.trim_start().chars().next();
    let chinese = bare.trim_end_matches('…').ends_with(is_cjk);
    match next {
        None => true,
        Some(c) if is_cjk(c) => chinese && bare.ends_with("……"),
        Some(c) => c.is_uppercase() && after.starts_with(char::is_whitespace),
    }
}

fn ends_with_latin_mark(sentence: &str, bare: &str, after: &str, language: Language) -> bool {
    let next = after.trim_start();
    let stem = bare.trim_end_matches('.');
    if next.starts_with(char::is_lowercase) && !next.starts_with("http") {
        return sentence.len() == bare.len() && bare.len() - stem.len() == 1 && ends_in_word(stem);
    }
    let is_quoted = sentence.len() > bare.len() && sentence.ends_with(['”', '"', '’', '»']);
    if is_quoted && quotes::is_attributed(after) {
        return false;
    }
    if sentence.contains(". .") && bare.ends_with(". . .") {
        // Three spaced points mark an omission; a fourth point ends the sentence.
        return bare.ends_with(". . . .");
    }
    match bare.len() - stem.len() {
        0 => return true,
        1 => {}
        _ => {
            return !sentence
                .trim_end_matches(['"', '”', '’'])
                .ends_with("[...]");
        }
    }
    if is_ordinal(stem) {
        return false;
    }
    language == Language::Chinese && next.starts_with(is_cjk) || full_stop(stem, next, language)
}

/// Returns true if the word before a full stop is certainly not an abbreviation.
fn ends_in_word(stem: &str) -> bool {
    let word = stem
        .rsplit(|c: char| !c.is_alphabetic())
        .next()
        .unwrap_or_default();
    let is_plain = word.chars().count() > 4 && word.chars().all(char::is_lowercase);
    is_plain && english::full_stop_after(word) == Stop::Ends
}

/// Returns true for "1." or "b." without other text before it. Such a label belongs to the text
/// that follows.
fn is_ordinal(stem: &str) -> bool {
    let digits = stem.trim_start_matches(['(', '[', '-', '*', '•', '⁃', ' ']);
    let is_number = digits.len() <= 3 && digits.chars().all(|c| c.is_ascii_digit());
    let is_letter = digits.chars().count() == 1 && digits.chars().all(char::is_alphanumeric);
    is_number || is_letter
}

/// Returns true if the full stop between `stem` and `next` ends a sentence.
fn full_stop(stem: &str, next: &str, language: Language) -> bool {
    let word = stem
        .rsplit(|c: char| c.is_whitespace() || is_opener(c) || c == '/')
        .next()
        .unwrap_or_default();
    let follower = next
        .split(|c: char| !(c.is_alphanumeric() || c == '\''))
        .find(|word| !word.is_empty())
        .unwrap_or_default();
    let is_letter = |word: &str| word.chars().count() == 1 && word.starts_with(char::is_alphabetic);
    let is_spaced =
        is_letter(word) && is_letter(follower) && next.starts_with(&format!("{follower}."));
    if is_spaced && word.starts_with(char::is_lowercase) {
        // "z. B." in "z. B. Wasser" is a spaced abbreviation.
        return false;
    }
    if language == Language::Other && other_abbreviations::continues_sentence(word, follower) {
        return false;
    }
    if word == "I" && ends_with_pronoun(stem) {
        return true;
    }
    match english::full_stop_after(word) {
        Stop::Binds => false,
        Stop::BindsNumber => !next.starts_with(|c: char| c.is_numeric() || "#§(".contains(c)),
        Stop::Unclear => next.is_empty() || english::begins_sentences(follower),
        Stop::Ends => true,
    }
}

/// Returns true for phrases such as "you and I", where "I" is a pronoun and not an initial.
fn ends_with_pronoun(stem: &str) -> bool {
    [" and I", " or I", " than I", " as I", " am I", " do I"]
        .iter()
        .any(|end| stem.ends_with(end))
}

/// Returns true at a sentence end without a mark: before an empty line, or before the next item of
/// a list.
fn is_paragraph_break(before: &str, after: &str) -> bool {
    let rest = after.trim_start();
    let gap = before.len() - before.trim_end().len();
    let lines = before
        .get(before.len() - gap..)
        .into_iter()
        .chain(after.get(..after.len() - rest.len()))
        .flat_map(str::chars)
        .filter(|c| matches!(c, '\n' | '\u{2028}' | '\u{85}'))
        .count();
    let is_item = ["- ", "* ", "• ", "+ "].iter().any(|m| rest.starts_with(m));
    lines > 1 || lines == 1 && is_item || before.ends_with('\u{2029}')
}

fn without_reference_marks(mut sentence: &str) -> &str {
    while let Some((rest, mark)) = sentence.strip_suffix(']').and_then(|s| s.rsplit_once('[')) {
        if mark.is_empty() || mark.len() > 12 || mark.contains(is_terminator) {
            break;
        }
        sentence = rest;
    }
    sentence
}

#[cfg(test)]
#[path = "sentences_tests.rs"]
mod tests;
