//! Finds the positions of a text where a sentence may end.
//!
//! Example: Unicode's rules find no sentence end in "virtual machines. virsh lists them",
//! but a sentence does end before "virsh". This module returns too many positions on purpose.
//! [`super::sentences()`] checks each position by the text before and after it. The time is linear
//! even for hostile pages.

use unicode_segmentation::UnicodeSegmentation;

use super::marks::{first, is_closer, is_terminator, item};

/// The maximum number of punctuation marks and spaces after a full stop that the segmenter reads at
/// once. It is also the maximum number of references such as `[12]` that are read after a sentence.
const LONGEST_RUN: usize = 32;

/// Returns Unicode's sentence boundaries and the positions that Unicode's rules miss, in order.
pub(super) fn candidates(text: &str) -> Vec<usize> {
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

/// Cuts a text inside long runs of punctuation or spaces after a full stop. Returns the parts with
/// their offsets. At each character of such a run, the segmenter looks ahead to the next letter
/// (rule SB8 of UAX 29). Without cuts, a page of brackets or spaces would take quadratic time.
fn stretches(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut start = 0;
    // The number of characters since the last full stop; `None` outside of such a run.
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

/// Returns true if `c` certainly ends the segmenter's look-ahead after a full stop. The result is
/// false for letters outside ASCII and Chinese, because the segmenter skips some of them, such as
/// accents.
fn ends_run(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || is_terminator(c)
        || matches!(
            c,
            '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' | '一'..='鿿'
        )
}

/// Returns the positions after marks such as "……", "；" and "。", with the closing marks that follow.
/// Unicode's rules find no sentence end after "……" and "；". After "。", they add a following opening
/// quotation mark or bracket to the same sentence.
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

/// Returns the positions after "word.[12] " and "word.[a][b] ". Encyclopedias write references like
/// this.
fn after_reference_marks(text: &str) -> impl Iterator<Item = usize> + '_ {
    text.match_indices(".[").filter_map(move |(at, _)| {
        let mut rest = text.get(at + 1..)?;
        // At most [`LONGEST_RUN`] references are read. Otherwise a long run of brackets would be
        // read again from each `.[` in the run, in quadratic time.
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

/// Returns the positions after ". " and before a lower-case letter. Unicode's rules find no
/// sentence end there. However, a sentence may begin with the name of a command: "... virtual
/// machines. virsh lists them".
fn before_lower_case(text: &str) -> impl Iterator<Item = usize> + '_ {
    text.match_indices(". ").filter_map(move |(at, mark)| {
        let rest = text.get(at + mark.len()..)?;
        rest.starts_with(char::is_lowercase)
            .then_some(at + mark.len())
    })
}

/// Returns the positions within a line where the next item of a list may begin.
fn before_items(text: &str) -> impl Iterator<Item = usize> + '_ {
    /// The first UTF-8 byte of "•" and "⁃".
    const MARK: u8 = 0xe2;
    let spaces = text.match_indices(' ').map(|(at, space)| at + space.len());
    spaces.filter(move |at| {
        // Most spaces are before a long word. They are skipped quickly, by looking at the next
        // three bytes only.
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
