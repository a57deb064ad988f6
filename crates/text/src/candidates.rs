//! The places of a text where a sentence may end.
//!
//! Driving example: ". virsh" is no end to Unicode, and may be one. Deliberately too many:
//! `sentences` judges each by what stands on both sides. A page made to take for ever
//! takes no longer than another.

use unicode_segmentation::UnicodeSegmentation;

use super::sentences::{first, is_closer, is_terminator, item};

/// The marks of one kind, closers or references, that a sentence has behind it at most.
const LONGEST_RUN: usize = 32;

/// Unicode's boundaries and those it does not know, in order.
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
