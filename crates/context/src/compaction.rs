//! Compaction: replaces old messages by a shorter summary.
//!
//! Example: the earlier turns and eleven old steps take 9 000 of 24 000 tokens. A model is
//! asked to summarise them in half as many tokens. Its summary is used if the summary makes the
//! whole context at least a fifth smaller. If it doesn't, or if no model answers, [`mechanical`]
//! cuts each line to its beginning, and older lines to less. The result of [`mechanical`] always
//! fits. Ids of results that a summary omits are appended, so that the model can still recall these
//! results.

use super::Context;
use super::pieces::MessageKind;
use super::recall_ids::{Id, headed, named, ranges};
use gloss_durable::sorted::SortedSet;
use gloss_model::{Language, Message, Part, Role};
use gloss_text::tokens::estimate;

/// The percentage of a transcript's capacity above which old content is shortened (SPEC §9).
const FULL_PERCENT: u32 = 80;

/// The number of tokens that [`mechanical`] keeps of a line, if there is enough space.
const LINE_TOKENS: u32 = 24;

/// The number of tokens that [`mechanical`] keeps of a line, if there is little space.
const SHORT_TOKENS: u32 = 8;

/// Returns the number of tokens above which old content is shortened: 80 % of the capacity.
pub fn compaction_threshold(capacity: u32) -> u32 {
    capacity.saturating_mul(FULL_PERCENT) / 100
}

impl Context {
    /// Returns the old messages, one line each, oldest first: the messages of earlier turns, and
    /// the lines that replaced old steps.
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

    /// Returns the cost of the old messages in tokens.
    pub fn old_tokens(&self) -> u32 {
        let is_old = |what| matches!(what, MessageKind::Before(_) | MessageKind::InShort);
        let old = self.pieces.iter().filter(|piece| is_old(piece.what));
        old.map(|piece| piece.tokens).sum()
    }

    /// Replaces the old messages by this summary.
    pub fn rewrite(&mut self, words: String) {
        self.pieces
            .retain(|piece| !matches!(piece.what, MessageKind::Before(_)));
        self.set_summary(words);
        self.restate();
    }

    /// Returns the context with the summary `words` in place of the old messages. Returns `None` if
    /// the context would not become at least a fifth smaller.
    #[must_use]
    pub fn compacted(&self, words: &str) -> Option<Self> {
        let mut shorter = self.clone();
        shorter.rewrite(words.to_owned());
        let (before, after) = (u64::from(self.tokens()), u64::from(shorter.tokens()));
        (after * 5 <= before * 4).then_some(shorter)
    }
}

/// Shortens lines so that all together have at most `tokens` tokens. Each line keeps its beginning,
/// and older lines keep less. If the result is still too long, the oldest lines are dropped. In
/// that case a remark gives the number of dropped lines and the ids in them.
pub fn mechanical(lines: &[String], tokens: u32, language: Language) -> String {
    // The added token is for the line break.
    let cost = |line: &str| match line {
        "" => 0,
        line => estimate(line) + 1,
    };
    let mut short: Vec<String> = lines.iter().map(|it| headed(it, SHORT_TOKENS)).collect();
    let mut total: u32 = short.iter().map(|line| cost(line)).sum();
    let (mut first, mut lost) = (0, SortedSet::new());
    let gone = loop {
        let said = (total <= tokens).then(|| left_out_line(first, &lost, language));
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

/// Returns the remark that `count` lines with these ids were dropped; empty if `count` is 0.
fn left_out_line(count: usize, ids: &SortedSet<Id>, language: Language) -> String {
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

/// Returns `words`, a model's summary of `lines`. Ids of `lines` that the summary lacks are
/// appended, so that the model can still recall their results.
pub fn naming_all(words: String, lines: &[String]) -> String {
    let said = named(&words);
    let mut lost: SortedSet<Id> = lines.iter().flat_map(|line| named(line)).collect();
    lost.retain(|id| !said.contains(id));
    if lost.is_empty() {
        return words;
    }
    format!("{words}\n({})", ranges(&lost))
}

/// Returns a message of an earlier turn as one line.
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
