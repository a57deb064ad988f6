//! What is old, written anew and shorter (SPEC §9: compaction).
//!
//! Driving example: the turns before and eleven folded steps are 9 000 tokens of 24 000.
//! A model is asked to write them in half; what it writes stands in their place if all is
//! then a fifth smaller. If not, or if no model answers, each line keeps its head, the oldest
//! the shortest: [`mechanical`] always gets there. Whoever writes, no id is lost: what a model
//! leaves out is named behind its words.

use super::Context;
use super::pieces::What;
use super::shrink::head;
use gloss_durable::sorted::SortedSet;
use gloss_model::{Language, Message, Part, Role};
use gloss_text::tokens::estimate;

/// What a line keeps where nobody writes it anew.
const LINE_TOKENS: u32 = 24;

/// And an older one, where there is no room for that.
const SHORT_TOKENS: u32 = 8;

impl Context {
    /// What was said before and the steps that are folded, a line each, oldest first.
    pub fn old(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for piece in &self.pieces {
            match piece.what {
                What::Before(_) => lines.push(spoken(&piece.message, self.language)),
                What::InShort => lines.extend(piece.words().lines().map(str::to_owned)),
                What::Fixed | What::Step(_) => {}
            }
        }
        lines.retain(|line| !line.trim().is_empty());
        lines
    }

    /// What all that costs.
    pub fn old_tokens(&self) -> u32 {
        let is_old = |what| matches!(what, What::Before(_) | What::InShort);
        let old = self.pieces.iter().filter(|piece| is_old(piece.what));
        old.map(|piece| piece.tokens).sum()
    }

    /// Puts these words in its place.
    pub fn write_anew(&mut self, words: String) {
        self.pieces
            .retain(|piece| !matches!(piece.what, What::Before(_)));
        self.put_in_short(words);
        self.retell();
    }

    /// The context with these words in the place of what is old, if it is a fifth smaller
    /// then (Property 10).
    #[must_use]
    pub fn compacted(&self, words: &str) -> Option<Self> {
        let mut shorter = self.clone();
        shorter.write_anew(words.to_owned());
        let (before, after) = (u64::from(self.tokens()), u64::from(shorter.tokens()));
        (after * 5 <= before * 4).then_some(shorter)
    }
}

/// Lines in short, within a number of tokens: of each its head, of the older ones less where
/// that is too much. Only where even so they do not fit, the oldest are left out, with a word
/// of how many, and of the ids that are recalled by.
pub fn mechanical(lines: &[String], tokens: u32, language: Language) -> String {
    // With the line break.
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

/// What is said of lines that are left out.
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

/// What a model wrote in the place of lines, with the ids that it left out: what has one can
/// be recalled.
pub fn naming_all(words: String, lines: &[String]) -> String {
    let said = named(&words);
    let mut lost: SortedSet<Id> = lines.iter().flat_map(|line| named(line)).collect();
    lost.retain(|id| !said.contains(id));
    if lost.is_empty() {
        return words;
    }
    format!("{words}\n({})", ranges(&lost))
}

/// What can be recalled: a result `r3`, a message `m1` or another text `t2`, by its letter and
/// its number.
pub(super) type Id = (char, u32);

/// The letters of ids.
const KINDS: [char; 3] = ['m', 'r', 't'];

/// The ids that stand in words as in `[r3]`, or in a range of them.
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

/// Between the ends of a range of ids.
const RANGE: &str = "–";

/// No run has as many results: whoever wrote a longer range does not know them.
const LONGEST_RANGE: u32 = 1_000;

/// Ids, as few as say all of them: `[r1]–[r4], [r9]`.
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

/// A text within a number of tokens, with the ids that the rest of it names.
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

/// A message of an earlier turn, in a line.
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
