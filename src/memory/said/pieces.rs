//! A sentence in its pieces: where it says one thing more.
//!
//! Driving example: "I work in Ada now, not Rust" is "I work in Ada now" and "not Rust": what
//! is denied in one is not denied in the other.

/// How a piece follows what is before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joint {
    /// It is the first.
    Start,
    /// By a mark.
    Mark,
    /// By a colon: it may be what the piece before announces.
    Colon,
    /// By "and" or "or".
    And,
    /// By what says that it is otherwise here.
    But,
    /// It says what is not so.
    Not,
}

/// A piece of a sentence.
#[derive(Debug)]
pub(super) struct Piece<'a> {
    pub(super) joint: Joint,
    pub(super) words: &'a str,
}

/// The pieces of a sentence, in their order; none of them is blank.
pub(super) fn pieces(sentence: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let (mut from, mut at, mut joint) = (0, 0, Joint::Start);
    while let Some(rest) = sentence.get(at..).filter(|rest| !rest.is_empty()) {
        let so_far = sentence.get(from..at).unwrap_or_default();
        if let Some((next, skipped)) = cut(rest, so_far) {
            push(&mut found, joint, so_far);
            at += skipped;
            (from, joint) = (at, next);
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    push(&mut found, joint, sentence.get(from..).unwrap_or_default());
    found
}

fn push<'a>(found: &mut Vec<Piece<'a>>, joint: Joint, words: &'a str) {
    let mut words = words.trim();
    let mut joint = joint;
    // ", and Anna plays chess": by both.
    for (with, how) in [("and ", joint), ("but ", Joint::But), ("also ", joint)] {
        if let Some(rest) = words.strip_prefix(with) {
            (words, joint) = (rest.trim_start(), how);
        }
    }
    if !words.is_empty() {
        found.push(Piece { joint, words });
    }
}

/// Verbs that "not" belongs to: "I do not" denies all that is said with it.
const AUXILIARY: [&str; 26] = [
    "do", "does", "did", "am", "is", "are", "was", "were", "be", "been", "have", "has", "had",
    "can", "could", "will", "would", "should", "shall", "may", "might", "must", "i'm", "it's",
    "that's", "we're",
];

/// What says in Chinese that it is otherwise from here on.
const OTHERWISE: [&str; 7] = ["但是", "可是", "不过", "然而", "而是", "但", "而"];

/// Whether a new piece begins here: how, and how many bytes are between.
fn cut(rest: &str, so_far: &str) -> Option<(Joint, usize)> {
    let mut letters = rest.chars();
    let first = letters.next()?;
    let next = letters.next();
    let is_apart = next.is_none_or(|it| it.is_whitespace() || !it.is_ascii());
    match first {
        ',' | ';' if is_apart => return Some((Joint::Mark, first.len_utf8())),
        ':' if is_apart => return Some((Joint::Colon, first.len_utf8())),
        '，' | '；' | '—' | '–' | '(' | ')' | '（' | '）' => {
            return Some((Joint::Mark, first.len_utf8()));
        }
        '：' => return Some((Joint::Colon, first.len_utf8())),
        _ => {}
    }
    if so_far.trim().is_empty() {
        return None;
    }
    if rest.starts_with("而不是") {
        return Some((Joint::Not, "而".len()));
    }
    if !first.is_ascii() {
        let mut otherwise = OTHERWISE.iter();
        let found = otherwise.find(|it| rest.starts_with(**it) && !rest.starts_with("而且"))?;
        return Some((Joint::But, found.len()));
    }
    if !so_far.ends_with(char::is_whitespace) {
        return None;
    }
    let of_word = |it: char| it.is_alphanumeric() || it == '\'';
    let length = rest.find(|it| !of_word(it)).unwrap_or(rest.len());
    let word = rest.get(..length)?.to_lowercase();
    let follows = |words: &str| rest.get(length..).is_some_and(|it| it.starts_with(words));
    let last = so_far.split_whitespace().next_back();
    let last = last.unwrap_or_default().to_lowercase();
    let prefers = || so_far.to_lowercase().contains("prefer");
    match word.as_str() {
        "and" | "or" | "nor" | "plus" => Some((Joint::And, length)),
        "but" | "however" | "though" | "although" | "whereas" | "while" | "yet" | "because" => {
            Some((Joint::But, length))
        }
        "not" if !AUXILIARY.contains(&last.as_str()) => Some((Joint::Not, 0)),
        "instead" if follows(" of ") => Some((Joint::Not, 0)),
        "rather" if follows(" than ") => Some((Joint::Not, 0)),
        "over" if prefers() => Some((Joint::Not, 0)),
        // "I prefer to walk" prefers nothing to anything.
        "to" if prefers() && !last.starts_with("prefer") => Some((Joint::Not, 0)),
        _ => None,
    }
}
