//! Cuts overlong sentences at natural pauses.
//!
//! Example: an automatic transcript is one paragraph of a megabyte without a full stop. A key point
//! from the transcript must not be longer than other sentences. Grammar is ignored. A sentence is
//! cut after the last comma or line break that gives parts of similar length, or else at the last
//! space. A sentence that ends with a full stop is cut only if it is longer than [`LONGEST_ENDED`].

use unicode_segmentation::UnicodeSegmentation;

use super::language::is_cjk;
use super::marks::{is_closer, is_terminator};

/// The maximum length of a part, in characters. A Chinese, Japanese or Korean character counts as
/// two.
const LONGEST: usize = 400;

/// The maximum length of a sentence that isn't cut because it ends with a mark such as a full stop.
/// The unit is the same as for [`LONGEST`].
const LONGEST_ENDED: usize = 600;

/// Cuts a sentence into trimmed parts. A short sentence is a single part. Only white space is left
/// out.
pub(super) fn split_long(sentence: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = sentence.trim();
    let mut left = width(rest);
    let is_ended = rest.trim_end_matches(is_closer).ends_with(is_terminator);
    let bearable = if is_ended { LONGEST_ENDED } else { LONGEST };
    if left > bearable {
        while left > LONGEST
            && let Some((piece, after)) = rest.split_at_checked(cut(rest, left))
        {
            found.push(piece.trim_end());
            let after = after.trim_start();
            left -= width(rest.get(..rest.len() - after.len()).unwrap_or(rest));
            rest = after;
        }
    }
    if !rest.is_empty() {
        found.push(rest);
    }
    found
}

fn width(text: &str) -> usize {
    text.chars().map(width_of).sum()
}

fn width_of(c: char) -> usize {
    if is_cjk(c) { 2 } else { 1 }
}

/// Returns the end of the first part of `text`. `left` is the width of `text`.
fn cut(text: &str, left: usize) -> usize {
    // The parts have about equal length, so that the last part is not just a word or two.
    let share = left / left.div_ceil(LONGEST).max(1);
    let window = share / 2..=LONGEST.min(share + share / 2);
    let (mut breath, mut space, mut any) = (None, None, text.len());
    let (mut walked, mut before) = (0, ' ');
    for (at, c) in text.char_indices() {
        if window.contains(&walked) {
            any = at;
            if matches!(before, '，' | '、' | '；' | '：' | '—' | '…')
                || c == '\n'
                || c.is_whitespace() && matches!(before, ',' | ';' | ':' | '–')
            {
                breath = Some(at);
            }
            if c.is_whitespace() {
                space = Some(at);
            }
        }
        walked += width_of(c);
        before = c;
        if walked > *window.end() {
            break;
        }
    }
    breath
        .or(space)
        .unwrap_or_else(|| within_no_character(text, any))
}

/// Returns the last position up to `at` that is not between a letter and its accents.
fn within_no_character(text: &str, at: usize) -> usize {
    // To decide if a grapheme ends before `at`, the character at `at` is enough. Later characters
    // aren't read, because a megabyte of accents may follow.
    let window = text.get(..text.ceil_char_boundary(at + 1)).unwrap_or(text);
    let mut starts = window.grapheme_indices(true).map(|(start, _)| start);
    starts.rfind(|start| (1..=at).contains(start)).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use quickcheck::quickcheck;

    use super::{LONGEST, split_long, width};

    #[test]
    fn an_endless_sentence_is_cut_at_its_commas_else_between_words() {
        let words = "so we went down to the river and looked ".repeat(40);
        let clauses = "so we went, as one does, down to the river ".repeat(40);
        let lines = "so we went down\nto the river ".repeat(40);
        for (text, ends) in [
            (
                &words,
                &[
                    "so", "we", "went", "down", "to", "the", "river", "and", "looked",
                ][..],
            ),
            (&clauses, &["went,", "does,"]),
            (&lines, &["down"]),
        ] {
            let found = split_long(text);
            let (last, cut) = found.split_last().unwrap();
            assert!(width(last) >= LONGEST / 4, "{last}");
            for piece in cut {
                let end = piece.rsplit([' ', '\n']).next().unwrap();
                assert!(ends.contains(&end), "{piece}");
                assert!((LONGEST / 4..=LONGEST).contains(&width(piece)), "{piece}");
            }
        }
    }

    #[test]
    fn scripts_without_spaces_are_cut_too_and_accents_stay_with_their_letters() {
        for unit in [
            "自由软件运动今天继续",
            "许多人参与了这项工作，",
            "a",
            "e\u{301}",
            "👩\u{200d}💻",
        ] {
            let text = unit.repeat(500);
            let found = split_long(&text);
            assert_eq!(found.concat(), text);
            for piece in &found {
                assert!(width(piece) <= LONGEST);
                assert!(
                    !piece.starts_with(['\u{301}', '\u{200d}', '💻', '，']),
                    "{piece}"
                );
            }
        }
    }

    #[test]
    fn a_long_sentence_that_its_author_ended_stays_whole() {
        let long = format!("It went on{}.", " and on".repeat(70));
        assert_eq!(split_long(&long), [long.as_str()]);
        assert!(split_long(long.trim_end_matches('.')).len() > 1);
    }

    #[test]
    fn a_letter_with_a_megabyte_of_accents_is_cut_in_one_walk() {
        let text = format!("e{}", "\u{301}".repeat(1 << 19));
        assert_eq!(split_long(&text).concat(), text);
    }

    quickcheck! {
        fn pieces_lose_only_white_space(seeds: Vec<u8>) -> bool {
            const PARTS: &[&str] = &["word ", ", ", "自由", "，", "\n", "e\u{301}", "longer", " ", "…"];
            let text: String = seeds
                .iter()
                .filter_map(|seed| PARTS.get(usize::from(*seed) % PARTS.len()))
                .map(|part| part.repeat(30))
                .collect();
            let squeezed = |text: &str| text.split_whitespace().collect::<String>();
            let found = split_long(&text);
            squeezed(&found.concat()) == squeezed(&text)
                && found.iter().all(|piece| !piece.is_empty() && piece.trim() == *piece)
        }
    }
}
