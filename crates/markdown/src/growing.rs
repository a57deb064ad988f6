//! A growing answer: what is finished is frozen, and never parsed again.
//!
//! Driving example: a model writes a list of 600 items. Each piece of text that
//! arrives re-parses the item that is being written and nothing before it, and
//! that item alone is sent to the surfaces.
//!
//! An outermost block is finished once another begins after it; within the last
//! one, an item of a list once another begins, a row of a table and a line of
//! fenced code once its line ends. Nothing of it is kept here but the line that
//! gives its rest a meaning (a fence, a table's header). What has no such seam
//! (a paragraph, a quotation, one item) is parsed anew as it grows; beyond
//! [`EAGER_BYTES`] only once it has grown by a part of itself, a larger one where
//! no person reads along any more ([`LONG_BYTES`]). So a text of `n`
//! bytes costs O(n) work and O(n) bytes sent, in deltas of any size.
//!
//! What differs from [`super::parse`] of the whole: a link whose definition comes
//! after its block was finished stays words until the answer is whole. A
//! definition that came before is known.

use super::Block;
use super::neutral::Cleaner;
use super::outline::{Outline, Span, SpanKind};
use super::parse::parse_clean;
use super::provisional::closed;

/// Open source up to this size is parsed at every delta.
const EAGER_BYTES: usize = 4_096;
/// Beyond, it is parsed once it has grown by this part of itself.
const GROWTH_PART: usize = 32;
/// A block larger than this was not written for a reader.
const LONG_BYTES: usize = 65_536;
/// It is parsed once it has grown by this part of itself.
const LONG_GROWTH_PART: usize = 8;
/// The most that is remembered of link reference definitions, in bytes.
const DEFINITIONS_BYTES: usize = 2_048;

/// The state of a growing answer: its open end, not its whole.
#[derive(Debug, Default)]
pub struct Growing {
    cleaner: Cleaner,
    /// Link reference definitions of what is frozen, as Markdown.
    definitions: String,
    /// The line that gives `open` a meaning.
    head: Head,
    /// The source that is not frozen.
    open: String,
    /// How much of `open` was parsed last.
    parsed: usize,
    frozen: usize,
    kept: usize,
    last: Option<Growth>,
    #[cfg(test)]
    work: usize,
}

/// How shown blocks change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Growth {
    /// How many blocks stay as they are.
    pub frozen: usize,
    /// How many items, rows or bytes of code stay in the block after them. If
    /// any do, the first block of `tail` goes on where they end.
    pub kept: usize,
    /// What follows.
    pub tail: Vec<Block>,
}

/// What stands before the open source, and means something for it.
#[derive(Debug, Default)]
enum Head {
    #[default]
    Nothing,
    /// The opening line of code.
    Fence(String),
    /// The header of a table and the line under it.
    Table(String),
}

/// Where the open source may begin.
struct Seam {
    at: usize,
    /// The blocks that are finished there.
    blocks: usize,
    /// The items, rows or bytes of code that are, in the block after them.
    kept: usize,
    /// The new head, if it changes.
    head: Option<Head>,
}

/// Whether the open block, as it was sent, begins with what stands of it.
fn goes_on(open: (Option<&Block>, Option<&Block>)) -> bool {
    match open {
        (Some(Block::List { items: sent, .. }), Some(Block::List { items, .. })) => {
            sent.starts_with(items)
        }
        (Some(Block::Table { rows: sent }), Some(Block::Table { rows })) => sent.starts_with(rows),
        (Some(Block::Code { text: sent, .. }), Some(Block::Code { text, .. })) => {
            sent.starts_with(text.as_str())
        }
        (_, None) => true,
        (sent, stands) => sent == stands,
    }
}

impl Head {
    fn source(&self) -> &str {
        match self {
            Self::Nothing => "",
            Self::Fence(lines) | Self::Table(lines) => lines,
        }
    }
}

impl Growing {
    /// Takes the next words; says how what is shown changes, if it does.
    pub fn push(&mut self, delta: &str) -> Option<Growth> {
        self.cleaner.push(delta, &mut self.open);
        let part = match self.parsed {
            ..LONG_BYTES => GROWTH_PART,
            _ => LONG_GROWTH_PART,
        };
        let due = self.parsed.max(EAGER_BYTES) / part;
        if self.open.len() > EAGER_BYTES && self.open.len() < self.parsed + due {
            return None;
        }
        let (source, from) = self.source(self.open.len());
        #[cfg(test)]
        {
            self.work += source.len();
        }
        let shown = closed(&source, from);
        let growth = self.growth(&shown);
        self.settle(&shown);
        self.parsed = self.open.len();
        if self.last.as_ref() == Some(&growth) {
            return None;
        }
        self.last = Some(growth.clone());
        Some(growth)
    }

    /// The last change: the text ends here, nothing is held back any more.
    pub fn finish(&mut self) -> Growth {
        let (source, _) = self.source(self.open.len());
        #[cfg(test)]
        {
            self.work += source.len();
        }
        self.growth(&source)
    }

    /// The source to parse for the first `end` open bytes, and where those begin.
    fn source(&self, end: usize) -> (String, usize) {
        let before = [self.definitions.as_str(), self.head.source()].concat();
        let from = before.len();
        (before + self.open.get(..end).unwrap_or_default(), from)
    }

    fn growth(&self, source: &str) -> Growth {
        let mut tail = parse_clean(source);
        if let (Head::Table(_), Some(Block::Table { rows })) = (&self.head, tail.first_mut())
            && !rows.is_empty()
        {
            // The header was sent with the rows that are kept.
            rows.remove(0);
        }
        Growth {
            frozen: self.frozen,
            kept: self.kept,
            tail,
        }
    }

    /// Freezes what whole lines have finished, if it was sent as it stands:
    /// `shown` is the source of what was.
    fn settle(&mut self, shown: &str) {
        let whole = self.open.rfind('\n').map_or(0, |at| at + 1);
        // What was looked at before has not changed.
        if whole == 0 || (self.parsed > 0 && whole <= self.parsed) {
            return;
        }
        let (source, from) = self.source(whole);
        #[cfg(test)]
        {
            self.work += source.len();
        }
        let outline = Outline::of(&source);
        let Some(seam) = self.seam(&source, from, &outline) else {
            return;
        };
        let finished = source.get(..seam.at).unwrap_or_default();
        if seam.at <= from || !shown.starts_with(finished) {
            return;
        }
        // What was closed for now may have been closed across the seam: then the
        // block before it was not sent as it stands.
        let (sent, stands) = (parse_clean(shown), parse_clean(finished));
        let open = (sent.get(seam.blocks), stands.get(seam.blocks));
        if sent.get(..seam.blocks) != stands.get(..seam.blocks) || !goes_on(open) {
            return;
        }
        if !outline.definitions.is_empty() {
            self.definitions = definitions(&Outline::of(finished));
        }
        self.open.drain(..seam.at - from);
        self.frozen += seam.blocks;
        self.kept = seam.kept;
        if let Some(head) = seam.head {
            self.head = head;
        }
    }

    /// The last place in `source` before which all is finished.
    fn seam(&self, source: &str, from: usize, outline: &Outline) -> Option<Seam> {
        let (last, before) = outline.blocks.split_last()?;
        if before.is_empty() {
            let seam = Seam {
                at: from,
                blocks: 0,
                kept: self.kept,
                head: None,
            };
            return Some(within(source, last, seam, &self.head));
        }
        let at = line_start(source, last.range.start);
        let seam = Seam {
            at,
            blocks: before.len(),
            kept: 0,
            head: Some(Head::Nothing),
        };
        is_apart(source, before, at).then(|| within(source, last, seam, &Head::Nothing))
    }
}

/// Changes the blocks that are shown as a [`Growth`] says.
pub fn grow(shown: &mut Vec<Block>, frozen: usize, kept: usize, tail: &[Block]) {
    let stays = shown.len().min(frozen);
    let grown = shown.drain(stays..).next();
    let mut rest = tail;
    if let Some(mut block) = grown.filter(|_| kept > 0) {
        block.keep(kept);
        if let Some((more, after)) = tail.split_first()
            && block.extend(more)
        {
            rest = after;
        }
        shown.push(block);
    }
    shown.extend_from_slice(rest);
}

impl Block {
    /// Keeps the first items, rows or bytes of code.
    fn keep(&mut self, kept: usize) {
        match self {
            Self::List { items, .. } => items.truncate(kept),
            Self::Table { rows } => rows.truncate(kept),
            Self::Code { text, .. } => {
                if text.is_char_boundary(kept) {
                    text.truncate(kept);
                }
            }
            Self::Paragraph { .. } | Self::Heading { .. } | Self::Quote { .. } | Self::Rule => {}
        }
    }

    /// Goes on with the items, rows or text of another; false if it can't.
    fn extend(&mut self, more: &Self) -> bool {
        match (self, more) {
            (Self::List { items, .. }, Self::List { items: more, .. }) => {
                items.extend_from_slice(more);
            }
            (Self::Table { rows }, Self::Table { rows: more }) => rows.extend_from_slice(more),
            (Self::Code { text, .. }, Self::Code { text: more, .. }) => text.push_str(more),
            _ => return false,
        }
        true
    }
}

fn line_start(source: &str, at: usize) -> usize {
    let before = source.get(..at).unwrap_or_default();
    before.rfind(['\n', '\r']).map_or(0, |at| at + 1)
}

/// Moves a seam into the last block, which begins there or began before.
fn within(source: &str, last: &Span, seam: Seam, head: &Head) -> Seam {
    match (last.kind, last.units.as_slice()) {
        (SpanKind::List, [finished @ .., open]) => Seam {
            at: line_start(source, *open).max(seam.at),
            kept: seam.kept + finished.len(),
            ..seam
        },
        // The last row stays open, so that a table is what goes on.
        (SpanKind::Table, [_header, first, ..]) => {
            let lines = source.get(seam.at..line_start(source, *first));
            let begins = matches!(head, Head::Nothing);
            let open = last
                .units
                .last()
                .map_or(seam.at, |open| line_start(source, *open));
            Seam {
                at: open.max(seam.at),
                kept: seam.kept + usize::from(begins) + last.units.len() - 2,
                head: lines
                    .filter(|_| begins)
                    .map(|lines| Head::Table(lines.to_owned()))
                    .or(seam.head),
                ..seam
            }
        }
        (SpanKind::Fence, _) => within_fence(source, last, seam, head),
        _ => seam,
    }
}

fn within_fence(source: &str, last: &Span, seam: Seam, head: &Head) -> Seam {
    let code = source
        .get(line_start(source, last.range.start)..)
        .unwrap_or_default();
    let opening_end = code.find('\n').map_or(code.len(), |at| at + 1);
    let (opening, lines) = code.split_at(opening_end);
    if lines.is_empty() || is_closed(opening, lines) {
        return seam;
    }
    let Some(Block::Code { text, .. }) = parse_clean(code).into_iter().next() else {
        return seam;
    };
    let begins = matches!(head, Head::Nothing).then(|| Head::Fence(opening.to_owned()));
    Seam {
        at: source.len(),
        kept: seam.kept + text.len(),
        head: begins.or(seam.head),
        ..seam
    }
}

/// Definitions as Markdown, for the links that follow.
fn definitions(finished: &Outline) -> String {
    let mut known = String::new();
    for (label, url) in &finished.definitions {
        let mut line = format!("[{}]: <", label.replace(['\n', '\r'], " "));
        for character in url.chars().filter(|c| !c.is_control()) {
            if matches!(character, '<' | '>' | '\\' | '&') {
                line.push('\\');
            }
            line.push(character);
        }
        line.push_str(">\n");
        if known.len() + line.len() <= DEFINITIONS_BYTES {
            known.push_str(&line);
        }
    }
    if !known.is_empty() {
        known.push('\n');
    }
    known
}

/// Whether the last block stands apart from what is before it: right under a
/// definition it may yet turn out to be the definition's title.
fn is_apart(source: &str, before: &[Span], at: usize) -> bool {
    let end = before.last().map_or(0, |block| block.range.end);
    let Some(between) = source.get(end..at) else {
        return true;
    };
    let blank = |line: &str| line.trim().is_empty();
    blank(between) || between.lines().last().is_some_and(blank)
}

/// Whether fenced code has its closing line.
fn is_closed(opening: &str, lines: &str) -> bool {
    let opening = opening.trim_start();
    let mark = if opening.starts_with('~') { '~' } else { '`' };
    let length = opening.len() - opening.trim_start_matches(mark).len();
    lines.lines().any(|line| {
        let bare = line.trim();
        bare.len() >= length && bare.chars().all(|c| c == mark)
    })
}

#[cfg(test)]
#[path = "growing_tests.rs"]
mod tests;
