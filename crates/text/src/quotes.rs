//! Prevents sentence ends inside short quotations and brackets.
//!
//! Example: “快跑！他们来了！”他喊道。 is one sentence, and so is “Nothing!” Mary said. A long
//! quotation is still split into its sentences.

use super::language::is_cjk;

/// Opening and closing marks. If the text between the two marks has at most this many characters,
/// no sentence ends inside the text.
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

/// The greatest of the lengths in [`PAIRS`], in characters.
const FARTHEST: usize = 120;

/// Chinese and English verbs that attribute a quotation to a speaker.
const SAYING: &[char] = &[
    '说', '說', '道', '问', '問', '答', '喊', '叫', '称', '稱', '写', '表',
];
#[rustfmt::skip]
const SAID: &[&str] = &[
    "added", "admitted", "announced", "answered", "asked", "cried", "explained", "insisted",
    "joked", "laughed", "noted", "recalled", "replied", "said", "says", "shouted", "told",
    "whispered", "wrote",
];

/// Returns true if the position between `before` and `after` is inside a quotation or brackets, and
/// the text between the opening and the closing mark is short.
pub(super) fn is_within(before: &str, after: &str) -> bool {
    // True for each pair of which a mark was found. Only the mark nearest to the position counts.
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

/// Returns true if `after`, the text after a closing quotation mark, names the speaker or continues
/// the sentence.
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
