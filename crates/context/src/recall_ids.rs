//! The ids with which results and texts can be recalled, and their notation in texts.
//!
//! If a text is cut to its beginning, the ids in the rest are appended, so that everything can
//! still be recalled.

use gloss_durable::sorted::SortedSet;
use gloss_text::tokens::{self, estimate};

/// The id of something that can be recalled, as letter and number: a result `r3`, a message `m1` or
/// another text `t2`.
pub(super) type Id = (char, u32);

/// The letters that ids begin with.
const KINDS: [char; 3] = ['m', 'r', 't'];

/// Returns the ids that a text contains, such as `[r3]`, including the ids in ranges such as
/// `[r1]–[r4]`.
pub(super) fn named(words: &str) -> SortedSet<Id> {
    let mut found = SortedSet::new();
    let mut before: Option<Id> = None;
    for rest in words.split('[').skip(1) {
        let id = rest.split_once(']').and_then(|(id, rest)| {
            let kind = id.chars().next().filter(|kind| KINDS.contains(kind))?;
            let number: u32 = id.strip_prefix(kind)?.parse().ok()?;
            Some(((kind, number), rest.starts_with(RANGE)))
        });
        if let Some(((kind, number), _)) = id {
            let from = before
                .filter(|(of, from)| *of == kind && number.saturating_sub(*from) < LONGEST_RANGE);
            let from = from.map_or(number, |(_, from)| from);
            found.extend((from..number).map(|number| (kind, number)));
            found.insert((kind, number));
        }
        before = id.and_then(|(id, goes_on)| goes_on.then_some(id));
    }
    found
}

/// The sign between the ends of a range of ids.
const RANGE: &str = "–";

/// The longest range that is accepted. No run has that many results, so a model that writes a
/// longer range has made it up.
const LONGEST_RANGE: u32 = 1_000;

/// Returns the ids as a text with ranges: `[r1]–[r4], [r9]`.
pub(super) fn ranges(ids: &SortedSet<Id>) -> String {
    let mut runs: Vec<(char, u32, u32)> = Vec::new();
    for (kind, id) in ids {
        match runs.last_mut() {
            Some((of, _, last)) if of == kind && last.checked_add(1) == Some(*id) => *last = *id,
            _ => runs.push((*kind, *id, *id)),
        }
    }
    let runs = runs.iter().map(|(kind, from, to)| match to - from {
        0 => format!("[{kind}{from}]"),
        1 => format!("[{kind}{from}], [{kind}{to}]"),
        _ => format!("[{kind}{from}]{RANGE}[{kind}{to}]"),
    });
    runs.collect::<Vec<_>>().join(", ")
}

/// Returns the beginning of a text within a number of tokens, followed by the ids that the rest
/// contains.
pub(super) fn headed(text: &str, tokens: u32) -> String {
    let short = head(text, tokens);
    let said = named(&short);
    let mut lost = named(text);
    lost.retain(|id| !said.contains(id));
    if lost.is_empty() {
        return short;
    }
    format!("{short} {}", ranges(&lost))
}

/// Returns the beginning of a text, within a number of tokens.
pub(super) fn head(text: &str, most_tokens: u32) -> String {
    if estimate(text) <= most_tokens {
        return text.to_owned();
    }
    tokens::head(text, most_tokens.saturating_sub(1)).to_owned() + " …"
}
