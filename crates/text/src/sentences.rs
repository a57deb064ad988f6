//! Text cut into sentences, each a verbatim slice.
//!
//! Driving example: "See Fig. 3 of Dr. Who's paper (e.g. p. 12). It costs 3.50."
//! is two sentences. Unicode's own boundaries (UAX 29) are the base; what they
//! get wrong is mended by looking at both sides of each. Deliberately not
//! restored: sentences that begin in the middle of a quotation keep their one
//! quotation mark.

use unicode_segmentation::UnicodeSegmentation;

use super::english::{self, Stop};
use super::language::{Language, is_cjk};
use super::pieces::pieces;
use super::{abroad, quotes};

/// A Chinese clause before "；" is a sentence of its own from this many characters on.
const MIN_CLAUSE_CHARS: usize = 20;

/// Bytes on either side of a place that tell whether a sentence ends there.
const WINDOW: usize = 512;

/// Bytes at the beginning of an item that hold its number.
const LABEL: usize = 32;

/// The marks of one kind, closers or references, that a sentence has behind it at most.
const LONGEST_RUN: usize = 32;

/// The sentences of `text` in order: trimmed slices that leave out nothing but
/// white space. A single line break is a soft wrap, an empty line ends a sentence.
/// What goes on too long without an end is cut into [`pieces`].
pub fn sentences(text: &str, language: Language) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for end in candidates(text) {
        let (Some(before), Some(after)) = (text.get(start..end), text.get(end..)) else {
            continue;
        };
        if begins_next_item(before, after) || is_boundary(tail(before), head(after), language) {
            found.extend(pieces(before));
            start = end;
        }
    }
    found.extend(pieces(text.get(start..).unwrap_or_default()));
    found
}

/// Whether a list within a line goes on: "1) flour 2) salt".
fn begins_next_item(before: &str, after: &str) -> bool {
    let labelled = |text| item(first(text, LABEL));
    let Some((next, same)) = labelled(after) else {
        return false;
    };
    labelled(before).is_some_and(|(this, mark)| mark == same && next == this + 1)
        && head(before).trim().len() > 4
}

/// The number and the mark of a list's item at the beginning of a text; letters count
/// from 100.
fn item(text: &str) -> Option<(u32, &str)> {
    let bare = text.trim_start_matches(['•', '⁃', '-', '(', ' ']);
    let end = bare.find(|c: char| !c.is_ascii_alphanumeric())?;
    let (label, rest) = bare.split_at_checked(end)?;
    let mark = [".)", ".", ")"]
        .into_iter()
        .find(|mark| rest.starts_with(mark))?;
    let number = match label.as_bytes() {
        [letter @ b'a'..=b'z'] => 100 + u32::from(*letter),
        _ if label.len() <= 2 => label.parse().ok()?,
        _ => return None,
    };
    rest.get(mark.len()..)?
        .starts_with(' ')
        .then_some((number, mark))
}

/// What of the text before a place is looked at: a transcript without a full stop is
/// not read again for each of its places.
fn tail(before: &str) -> &str {
    let from = before.floor_char_boundary(before.len().saturating_sub(WINDOW));
    before.get(from..).unwrap_or(before)
}

/// What of the text after a place is looked at.
fn head(after: &str) -> &str {
    first(after, WINDOW)
}

/// The first `bytes` of a text, and what else its last character has.
fn first(text: &str, bytes: usize) -> &str {
    text.get(..text.ceil_char_boundary(bytes)).unwrap_or(text)
}

/// Unicode's boundaries and those it does not know, in order.
fn candidates(text: &str) -> Vec<usize> {
    let mut ends: Vec<usize> = stretches(text)
        .into_iter()
        .flat_map(|(from, stretch)| {
            let sentences = stretch.split_sentence_bound_indices();
            sentences.map(move |(at, sentence)| from + at + sentence.len())
        })
        .collect();
    ends.extend(after_wide_marks(text));
    ends.extend(after_reference_marks(text));
    ends.extend(before_lower_case(text));
    ends.extend(before_items(text));
    ends.sort_unstable();
    ends.dedup();
    ends
}

/// The parts of a text, and where each begins: cut in long runs of what may follow a full
/// stop. At each mark of a run the segmenter reads on to the next letter (rule SB8 of
/// UAX 29), and a page of brackets or spaces would take for ever.
fn stretches(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut start = 0;
    // The marks since the last full stop, until something ends their run.
    let mut run = None;
    for (at, c) in text.char_indices() {
        run = match (run, c) {
            (_, '.' | '․' | '﹒' | '．') => Some(0),
            (Some(LONGEST_RUN), _) if !c.is_alphanumeric() && !ends_run(c) => {
                found.extend(text.get(start..at).map(|stretch| (start, stretch)));
                start = at;
                None
            }
            (Some(marks), _) if !ends_run(c) => Some(marks + usize::from(!c.is_alphanumeric())),
            _ => None,
        };
    }
    found.extend(text.get(start..).map(|stretch| (start, stretch)));
    found
}

/// Whether the segmenter surely reads no further. Other letters may be accents to it,
/// which it passes over.
fn ends_run(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || is_terminator(c)
        || matches!(
            c,
            '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' | '一'..='鿿'
        )
}

/// The ends of "……", "；" and "。" with the closing marks that follow: Unicode
/// knows no end in the first two, and joins an opening mark to the third.
fn after_wide_marks(text: &str) -> impl Iterator<Item = usize> + '_ {
    let is_end = |c: char| matches!(c, '…' | '；' | '。' | '！' | '？');
    text.match_indices(is_end).filter_map(move |(at, mark)| {
        let rest = text.get(at + mark.len()..)?;
        if rest.starts_with(is_end) {
            return None;
        }
        let closers = rest.len() - rest.trim_start_matches(is_closer).len();
        Some(at + mark.len() + closers)
    })
}

/// The ends of "word.[12] " and "word.[a][b] ", as encyclopedias have them.
fn after_reference_marks(text: &str) -> impl Iterator<Item = usize> + '_ {
    text.match_indices(".[").filter_map(move |(at, _)| {
        let mut rest = text.get(at + 1..)?;
        // No more of them: a mark may hold what looks like the first of others.
        for _ in 0..LONGEST_RUN {
            let Some(mark) = rest.strip_prefix('[') else {
                break;
            };
            let closing = mark.bytes().take(13).position(|b| b == b']')?;
            rest = mark.get(closing + 1..)?;
        }
        rest.starts_with(char::is_whitespace)
            .then(|| text.len() - rest.trim_start().len())
    })
}

/// Where ". " stands before a small letter: Unicode lets the sentence go on, but
/// names of commands begin sentences too ("... virtual machines. virsh lists them").
fn before_lower_case(text: &str) -> impl Iterator<Item = usize> + '_ {
    text.match_indices(". ").filter_map(move |(at, mark)| {
        let rest = text.get(at + mark.len()..)?;
        rest.starts_with(char::is_lowercase)
            .then_some(at + mark.len())
    })
}

/// Where a list's next item may begin within a line.
fn before_items(text: &str) -> impl Iterator<Item = usize> + '_ {
    /// The first byte of "•" and "⁃".
    const MARK: u8 = 0xe2;
    let spaces = text.match_indices(' ').map(|(at, space)| at + space.len());
    spaces.filter(move |at| {
        // Most spaces stand before a long word: no character is looked at for them.
        let next = text.as_bytes().get(*at..).unwrap_or_default();
        let may_begin = match next {
            [b'(' | b'-' | b' ' | MARK, ..] => true,
            [letter, b'.' | b')', ..] | [letter, _, b'.' | b')', ..] => {
                letter.is_ascii_alphanumeric()
            }
            _ => false,
        };
        if !may_begin {
            return false;
        }
        let rest = text.get(*at..).unwrap_or_default();
        rest.starts_with(['•', '⁃', '(']) || item(first(rest, 12)).is_some()
    })
}

fn is_boundary(before: &str, after: &str, language: Language) -> bool {
    // Asked last: to look for quotation marks is what takes longest.
    ends(before, after, language) && !quotes::is_within(before.trim_end(), after)
}

/// Whether a sentence ends between `before` and `after`, were there no quotations.
fn ends(before: &str, after: &str, language: Language) -> bool {
    let sentence = before.trim_end();
    // Before a space, a mark that opens elsewhere closes: „So.“ Wir.
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

/// "“好。”，他说": a quotation that is given to somebody carries the sentence on, and so
/// do brackets that do not hold the whole of it.
fn goes_on(sentence: &str, after: &str) -> bool {
    let in_brackets = sentence.ends_with('）') && !sentence.starts_with('（');
    in_brackets || sentence.ends_with(is_closer) && quotes::is_attributed(after)
}

/// "他走了……" ends; "从一、二……到十" and "wait… for it" may not.
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
        // Three points leave something out, the fourth ends the sentence.
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

/// Whether what stands before a full stop is surely no abbreviation.
fn ends_in_word(stem: &str) -> bool {
    let word = stem
        .rsplit(|c: char| !c.is_alphabetic())
        .next()
        .unwrap_or_default();
    let is_plain = word.chars().count() > 4 && word.chars().all(char::is_lowercase);
    is_plain && english::full_stop_after(word) == Stop::Ends
}

/// "1." or "b." alone is the number of what follows.
fn is_ordinal(stem: &str) -> bool {
    let digits = stem.trim_start_matches(['(', '[', '-', '*', '•', '⁃', ' ']);
    let is_number = digits.len() <= 3 && digits.chars().all(|c| c.is_ascii_digit());
    let is_letter = digits.chars().count() == 1 && digits.chars().all(char::is_alphanumeric);
    is_number || is_letter
}

/// Whether the full stop between `stem` and `next` ends a sentence.
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
        // "z. B."
        return false;
    }
    if language == Language::Other && abroad::binds(word, follower) {
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

/// "you and I": no initial.
fn ends_with_pronoun(stem: &str) -> bool {
    [" and I", " or I", " than I", " as I", " am I", " do I"]
        .iter()
        .any(|end| stem.ends_with(end))
}

/// A break that no mark stands before: an empty line, or a list's next item.
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

/// Marks that may stand between a sentence's full stop and its end.
pub(super) fn is_closer(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | ')'
            | ']'
            | '}'
            | '”'
            | '’'
            | '»'
            | '›'
            | '』'
            | '」'
            | '）'
            | '】'
            | '》'
            | '〉'
            | '〕'
            | '*'
            | '_'
            | '`'
    )
}

fn is_opener(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | '('
            | '['
            | '{'
            | '“'
            | '‘'
            | '«'
            | '‹'
            | '『'
            | '「'
            | '（'
            | '【'
            | '《'
            | '*'
            | '_'
            | '`'
    )
}

/// Marks that end a sentence in some language.
pub(super) fn is_terminator(c: char) -> bool {
    matches!(
        c,
        '.' | '!'
            | '?'
            | '…'
            | '。'
            | '！'
            | '？'
            | '；'
            | '｡'
            | '।'
            | '॥'
            | '؟'
            | '۔'
            | '։'
            | '።'
            | '‼'
            | '⁇'
            | '⁈'
            | '⁉'
    )
}

#[cfg(test)]
#[path = "sentences_tests.rs"]
mod tests;
