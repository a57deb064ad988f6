//! The blocks of an answer while it streams.
//!
//! Driving example: a model writes paragraphs and lists with a blank line between them. Each delta
//! parses only the last block again, and only that block is sent to the surfaces.
//!
//! A block is finished, and never parsed again, once it is followed by a blank line and by a whole
//! line that begins another block. A block over [`EAGER_BYTES`] is parsed again only after it has
//! grown by a fraction of its size, so that the work and the bytes sent stay proportional to the
//! text. Lists, tables and code blocks are never split.
//!
//! The result differs from [`super::parse`] of the whole text in one case: a link whose definition
//! follows after its block was finished stays plain text until the answer is complete.

use super::Block;
use super::neutral::Cleaner;
use super::parse::{parse_clean, parser};
use super::streaming::displayable;

/// The size up to which unfinished source is parsed at every delta, in bytes.
const EAGER_BYTES: usize = 4_096;
/// The growth after which larger source is parsed again, as a divisor of its size.
const GROWTH_PART: usize = 32;

/// The state of a growing answer: its unfinished end.
#[derive(Debug, Default)]
pub struct Growing {
    cleaner: Cleaner,
    /// The source of the unfinished blocks.
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
    /// The number of blocks at the start that stay the same.
    pub frozen: usize,
    /// The blocks that follow them.
    pub tail: Vec<Block>,
}

impl Growing {
    /// Adds a delta; returns the change of the shown blocks, if there is one.
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

    /// The last change, after the text has ended: nothing is held back any more.
    pub fn finish(&mut self) -> Growth {
        Growth {
            frozen: self.frozen,
            tail: parse_clean(&self.open),
        }
    }

    /// Finishes the blocks before the last blank line, if they parse the same without what follows,
    /// and the same as in `sent`.
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
        // A later link may use this definition.
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
