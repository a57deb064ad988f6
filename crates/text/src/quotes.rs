//! What stands in quotation marks and brackets belongs to the sentence around it.
//!
//! Driving example: “快跑！他们来了！”他喊道。 is one sentence, and so is “Nothing!” Mary said. Deliberately local: a speech of a page is cut at its sentences.

use super::language::is_cjk;

/// Openers and closers, and how many characters may stand between them at most for both
/// to be of one sentence.
const PAIRS: [(char, char, usize); 8] = [
    ('《', '》', 60),
    ('〈', '〉', 60),
    ('（', '）', 80),
    ('【', '】', 60),
    ('“', '”', 120),
    ('「', '」', 80),
    ('『', '』', 80),
    ('«', '»', 120),
];

/// From here on no mark matters: the most characters of any pair.
const FARTHEST: usize = 120;

/// Chinese and English verbs by which a quotation is given to somebody.
const SAYING: &[char] = &[
    '说', '說', '道', '问', '問', '答', '喊', '叫', '称', '稱', '写', '表',
];
#[rustfmt::skip]
const SAID: &[&str] = &[
    "added", "admitted", "announced", "answered", "asked", "cried", "explained", "insisted",
    "joked", "laughed", "noted", "recalled", "replied", "said", "says", "shouted", "told",
    "whispered", "wrote",
];

/// Whether the place between `before` and `after` is within marks that close soon.
pub(super) fn is_within(before: &str, after: &str) -> bool {
    // Of each pair only the last mark counts.
    let mut seen = [false; PAIRS.len()];
    for (said, mark) in (1..FARTHEST).zip(before.chars().rev()) {
        if mark.is_ascii() {
            continue;
        }
        for ((open, close, most), seen) in PAIRS.iter().zip(&mut seen) {
            if (mark != *open && mark != *close) || std::mem::replace(seen, true) {
                continue;
            }
            let rest = after.chars().take(most.saturating_sub(said));
            let mut ends = rest.skip_while(|c| c != close && c != open);
            if mark == *open && ends.next() == Some(*close) {
                return true;
            }
        }
    }
    false
}

/// Whether what follows a closing mark says who spoke, or goes on with a comma.
pub(super) fn is_attributed(after: &str) -> bool {
    if after.starts_with(['，', '、', ',', '的', '：']) {
        return true;
    }
    let is_chinese = after.starts_with(is_cjk);
    if is_chinese {
        let clause = after
            .chars()
            .take(12)
            .take_while(|c| !"，。：；！？“「".contains(*c));
        return clause.skip(1).any(|c| SAYING.contains(&c));
    }
    let mut words = after.split_whitespace().take(4);
    let is_verb = |word: &str| {
        let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        SAID.contains(&bare)
    };
    words.any(is_verb)
}
