//! Finds the positions of a text where a sentence may end.
//!
//! Driving example: Unicode's rules find no sentence end in "virtual machines. virsh lists them",
//! but a sentence does end before "virsh". The list contains too many positions on purpose;
//! [`super::sentences()`] checks each by the text before and after it. The time is linear even on
//! hostile pages.

use unicode_segmentation::UnicodeSegmentation;

use super::marks::{first, is_closer, is_terminator, item};

/// The longest run of marks, such as closing brackets, and of reference marks after a sentence.
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

/// Cuts a text inside long runs of marks after a full stop; returns the parts with their offsets.
/// At each mark of such a run, the segmenter reads on to the next letter (rule SB8 of UAX 29). On a
/// page of brackets or spaces, that would take quadratic time.
fn stretches(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut start = 0;
    // The number of marks since the last full stop; `None` outside of a run.
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

/// Returns true if the segmenter surely stops reading on at `c`. Letters that are missing here may
/// be skipped like accents.
fn ends_run(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || is_terminator(c)
        || matches!(
            c,
            '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' | '一'..='鿿'
        )
}

/// The ends of "……", "；" and "。" with the closing marks after them. Unicode's rules find no
/// sentence end in the first two, and attach an opening mark to the third.
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

/// The positions after "word.[12] " and "word.[a][b] ", as encyclopedias write references.
fn after_reference_marks(text: &str) -> impl Iterator<Item = usize> + '_ {
    text.match_indices(".[").filter_map(move |(at, _)| {
        let mut rest = text.get(at + 1..)?;
        // The number of references is limited, so that a long run of brackets isn't read again from
        // each of its marks.
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

/// The positions after ". " before a lower-case letter. Unicode's rules find no end there, but a
/// sentence may begin with the name of a command: "... virtual machines. virsh lists them".
fn before_lower_case(text: &str) -> impl Iterator<Item = usize> + '_ {
    text.match_indices(". ").filter_map(move |(at, mark)| {
        let rest = text.get(at + mark.len()..)?;
        rest.starts_with(char::is_lowercase)
            .then_some(at + mark.len())
    })
}

/// The positions within a line where the next item of a list may begin.
fn before_items(text: &str) -> impl Iterator<Item = usize> + '_ {
    /// The first UTF-8 byte of "•" and "⁃".
    const MARK: u8 = 0xe2;
    let spaces = text.match_indices(' ').map(|(at, space)| at + space.len());
    spaces.filter(move |at| {
        // Most spaces precede a long word; the next three bytes are enough to skip them quickly.
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
