//! Finds the positions of a text where a sentence may end.
//!
//! Driving example: Unicode sees no sentence end in ". virsh", but there may be one. The list
//! contains too many positions on purpose: `sentences` judges each by the text on both sides. The
//! time is linear even for hostile pages.

use unicode_segmentation::UnicodeSegmentation;

use super::marks::{first, is_closer, is_terminator, item};

/// The most marks of one kind, such as closing brackets or references, after a sentence.
const LONGEST_RUN: usize = 32;

/// The boundaries of Unicode and those that it misses, in order.
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

/// Splits a text within long runs of marks after a full stop; returns the parts with their offsets.
/// At each mark of such a run the segmenter reads ahead to the next letter (rule SB8 of UAX 29),
/// which is quadratic on a page of brackets or spaces.
fn stretches(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut start = 0;
    // The number of marks since the last full stop; `None` if no run is open.
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

/// Returns true if the segmenter surely stops reading ahead here. It may treat other letters as
/// accents and skip them.
fn ends_run(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || is_terminator(c)
        || matches!(
            c,
            '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' | '一'..='鿿'
        )
}

/// The ends of "……", "；" and "。" with the closing marks after them. Unicode sees no end in the
/// first two, and joins an opening mark to the third.
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

/// The ends of "word.[12] " and "word.[a][b] ", as in encyclopedias.
fn after_reference_marks(text: &str) -> impl Iterator<Item = usize> + '_ {
    text.match_indices(".[").filter_map(move |(at, _)| {
        let mut rest = text.get(at + 1..)?;
        // Limited, because a mark may contain what looks like the first of many others.
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

/// The ends of ". " before a lower-case letter. Unicode sees no end there, but sentences may begin
/// with the name of a command ("... virtual machines. virsh lists them").
fn before_lower_case(text: &str) -> impl Iterator<Item = usize> + '_ {
    text.match_indices(". ").filter_map(move |(at, mark)| {
        let rest = text.get(at + mark.len()..)?;
        rest.starts_with(char::is_lowercase)
            .then_some(at + mark.len())
    })
}

/// The positions where a list's next item may begin within a line.
fn before_items(text: &str) -> impl Iterator<Item = usize> + '_ {
    /// The first byte of "•" and "⁃".
    const MARK: u8 = 0xe2;
    let spaces = text.match_indices(' ').map(|(at, space)| at + space.len());
    spaces.filter(move |at| {
        // Most spaces precede a long word, which the first bytes show.
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
