//! The blocks of an answer while it streams.
//!
//! Example: a model writes paragraphs and lists with a blank line between them. After each
//! delta, only the last block is parsed again, and only that block is sent to the surfaces.
//!
//! A block is finished if a blank line follows it, and then a complete line that begins another
//! block. A finished block is never parsed again. An unfinished block over [`EAGER_BYTES`] is
//! parsed again only after it has grown by a fraction of its size. The work and the number of sent
//! bytes therefore stay proportional to the text. Lists, tables and code blocks are never split.
//!
//! The result differs from [`super::parse`] of the whole text in one case. If the definition of a
//! link arrives after the block with the link is finished, the link is plain text until the answer
//! is complete.

use super::Block;
use super::neutral::Cleaner;
use super::parse::{parse_clean, parser};
use super::streaming::displayable;

/// The size in bytes up to which unfinished text is parsed after every delta.
const EAGER_BYTES: usize = 4_096;
/// The divisor for larger text. The text is parsed again after it has grown by this part of its
/// size.
const GROWTH_PART: usize = 32;

/// The state of a growing answer.
#[derive(Debug, Default)]
pub struct Growing {
    cleaner: Cleaner,
    /// The Markdown of the unfinished blocks.
    open: String,
    /// The length of `open` when it was last parsed, in bytes.
    parsed: usize,
    /// The number of finished blocks.
    frozen: usize,
    last: Option<Growth>,
    #[cfg(test)]
    work: usize,
}

/// A change of the blocks that are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Growth {
    /// The number of blocks at the start that have not changed.
    pub frozen: usize,
    /// All blocks after the unchanged ones.
    pub tail: Vec<Block>,
}

impl Growing {
    /// Adds a delta. Returns the change of the shown blocks, if there is one.
    pub fn push(&mut self, delta: &str) -> Option<Growth> {
        self.cleaner.push(delta, &mut self.open);
        let length = self.open.len();
        if length > EAGER_BYTES && length < self.parsed + self.parsed / GROWTH_PART {
            return None;
        }
        #[cfg(test)]
        {
            self.work += length;
        }
        let growth = Growth {
            frozen: self.frozen,
            tail: parse_clean(displayable(&self.open)),
        };
        let more = self.open.get(self.parsed..).unwrap_or_default();
        if more.contains('\n') {
            self.freeze(&growth.tail);
        }
        self.parsed = self.open.len();
        if self.last.as_ref() == Some(&growth) {
            return None;
        }
        self.last = Some(growth.clone());
        Some(growth)
    }

    /// Returns the last change, after the end of the answer. Unclosed marks are now shown too.
    pub fn finish(&mut self) -> Growth {
        Growth {
            frozen: self.frozen,
            tail: parse_clean(&self.open),
        }
    }

    /// Marks the blocks before the last blank line as finished. Two conditions must hold: the text
    /// after them does not change how they parse, and they are equal to the first blocks of `sent`.
    fn freeze(&mut self, sent: &[Block]) {
        let end = self.open.rfind('\n').unwrap_or_default();
        let whole = self.open.get(..end).unwrap_or_default().trim_end();
        let Some((before, after)) = whole.rsplit_once("\n\n") else {
            return;
        };
        #[cfg(test)]
        {
            self.work += whole.len() * 2;
        }
        // A later link may use a definition in these blocks, so they stay unfinished.
        if parser(whole)
            .reference_definitions()
            .iter()
            .next()
            .is_some()
        {
            return;
        }
        let finished = parse_clean(before);
        let apart = [finished.as_slice(), &parse_clean(after)].concat();
        if sent.starts_with(&finished) && apart == parse_clean(whole) {
            self.frozen += finished.len();
            self.open.drain(..before.len() + 2);
        }
    }
}

#[cfg(test)]
#[path = "growing_tests.rs"]
mod tests;
