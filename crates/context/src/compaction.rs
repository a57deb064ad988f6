//! Compaction: rewrites old messages shorter (SPEC §9).
//!
//! Driving example: earlier turns and eleven folded steps take 9 000 of 24 000 tokens. A model is
//! asked to rewrite them in half the space. Its text replaces them if the whole context becomes a
//! fifth smaller. If not, or if no model answers, [`mechanical`] cuts each line to its head, the
//! oldest to the shortest, which always fits. No id is lost either way: ids that the new text omits
//! are appended.

use super::Context;
use super::pieces::MessageKind;
use super::shrink::head;
use gloss_durable::sorted::SortedSet;
use gloss_model::{Language, Message, Part, Role};
use gloss_text::tokens::estimate;

/// The tokens that [`mechanical`] keeps of a line.
const LINE_TOKENS: u32 = 24;

/// The tokens it keeps of an older line if there is no room for more.
const SHORT_TOKENS: u32 = 8;

impl Context {
    /// The messages of earlier turns and the folded steps, one line each, oldest first.
    pub fn old(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for piece in &self.pieces {
            match piece.what {
                MessageKind::Before(_) => lines.push(spoken(&piece.message, self.language)),
                MessageKind::InShort => lines.extend(piece.words().lines().map(str::to_owned)),
                MessageKind::Fixed | MessageKind::Step(_) => {}
            }
        }
        lines.retain(|line| !line.trim().is_empty());
        lines
    }

    /// The cost of the old messages, in tokens.
    pub fn old_tokens(&self) -> u32 {
        let is_old = |what| matches!(what, MessageKind::Before(_) | MessageKind::InShort);
        let old = self.pieces.iter().filter(|piece| is_old(piece.what));
        old.map(|piece| piece.tokens).sum()
    }

    /// Replaces the old messages by these words.
    pub fn rewrite(&mut self, words: String) {
        self.pieces
            .retain(|piece| !matches!(piece.what, MessageKind::Before(_)));
        self.set_summary(words);
        self.restate();
    }

    /// The context with `words` in place of the old messages, or `None` if it is not a fifth
    /// smaller (Property 10).
    #[must_use]
    pub fn compacted(&self, words: &str) -> Option<Self> {
        let mut shorter = self.clone();
        shorter.rewrite(words.to_owned());
        let (before, after) = (u64::from(self.tokens()), u64::from(shorter.tokens()));
        (after * 5 <= before * 4).then_some(shorter)
    }
}

/// Shortens lines to a number of tokens. Each line keeps its head, older lines a shorter one. If
/// that is still too much, the oldest lines are dropped, and a note gives their number and their
/// recall ids.
pub fn mechanical(lines: &[String], tokens: u32, language: Language) -> String {
    // Includes the line break.
    let cost = |line: &str| match line {
        "" => 0,
        line => estimate(line) + 1,
    };
    let mut short: Vec<String> = lines.iter().map(|it| headed(it, SHORT_TOKENS)).collect();
    let mut total: u32 = short.iter().map(|line| cost(line)).sum();
    let (mut first, mut lost) = (0, SortedSet::new());
    let gone = loop {
        let said = (total <= tokens).then(|| gone(first, &lost, language));
        if let Some(said) = said.filter(|said| total + cost(said) <= tokens) {
            break said;
        }
        let (Some(oldest), Some(line)) = (short.get(first), lines.get(first)) else {
            break String::new();
        };
        total -= cost(oldest);
        lost.extend(named(line));
        first += 1;
    };
    let mut left = (tokens - total).saturating_sub(cost(&gone));
    for (line, short) in lines.iter().zip(&mut short).skip(first).rev() {
        let whole = headed(line, LINE_TOKENS);
        let more = estimate(&whole).saturating_sub(estimate(short));
        if more > left {
            break;
        }
        left -= more;
        *short = whole;
    }
    let kept = short.get(first..).unwrap_or_default();
    let all = std::iter::once(&gone).filter(|gone| !gone.is_empty());
    let all: Vec<&str> = all.chain(kept).map(String::as_str).collect();
    all.join("\n")
}

/// The note about dropped lines.
fn gone(count: usize, ids: &SortedSet<Id>, language: Language) -> String {
    if count == 0 {
        return String::new();
    }
    let words = language.pick(
        format!("{count} older left out"),
        format!("略去更早的{count}条"),
    );
    if ids.is_empty() {
        format!("({words})")
    } else {
        format!("({words}: {})", ranges(ids))
    }
}

/// A model's rewrite of `lines`, with the ids that it omitted appended, so that they can still be
/// recalled.
pub fn naming_all(words: String, lines: &[String]) -> String {
    let said = named(&words);
    let mut lost: SortedSet<Id> = lines.iter().flat_map(|line| named(line)).collect();
    lost.retain(|id| !said.contains(id));
    if lost.is_empty() {
        return words;
    }
    format!("{words}\n({})", ranges(&lost))
}

/// The id of something that can be recalled, as letter and number: a result `r3`, a message `m1` or
/// another text `t2`.
pub(super) type Id = (char, u32);

/// The letters that ids begin with.
const KINDS: [char; 3] = ['m', 'r', 't'];

/// The ids that a text contains as `[r3]`, or in a range of them.
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

/// The longest range that is believed. No run has that many results, so a model that writes a
/// longer range has made it up.
const LONGEST_RANGE: u32 = 1_000;

/// Writes ids as compactly as possible: `[r1]–[r4], [r9]`.
fn ranges(ids: &SortedSet<Id>) -> String {
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

/// The head of a text within a number of tokens, followed by the ids that the rest contains.
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

/// A message of an earlier turn as one line.
fn spoken(message: &Message, language: Language) -> String {
    let who = match message.role {
        Role::User => language.pick("Asked: ", "问："),
        Role::Assistant => language.pick("Answered: ", "答："),
        Role::System | Role::Tool => language.pick("Said: ", "说："),
    };
    let words = message.parts.iter().filter_map(|part| match part {
        Part::Text { text } | Part::Quoted { text, .. } => Some(text.replace('\n', " ")),
        _ => None,
    });
    format!("{who}{}", words.collect::<Vec<_>>().join(" "))
}
