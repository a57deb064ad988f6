//! The blocks of an answer while it streams.
//!
//! Driving example: a model writes paragraphs and lists with a blank line between them.
//! Each piece of text parses the last of them again and nothing before it, and only that
//! block is sent to the surfaces.
//!
//! Blocks are finished, and never parsed again, once a blank line and a whole line that
//! begins another block follow them. A block over [`EAGER_BYTES`] is parsed again once it
//! has grown by a part of itself, so that the work and the bytes sent grow in proportion
//! to the text. Deliberately absent: seams within a list, a table or code.
//!
//! The result differs from [`super::parse`] of the whole text in one case: a link whose
//! definition comes after its block was finished stays words until the answer is whole.

use super::Block;
use super::neutral::Cleaner;
use super::parse::{parse_clean, parser};
use super::provisional::settled;

/// Unfinished source up to this size is parsed at every delta.
const EAGER_BYTES: usize = 4_096;
/// Beyond, it is parsed once it has grown by this part of itself.
const GROWTH_PART: usize = 32;

/// The state of a growing answer: its unfinished end.
#[derive(Debug, Default)]
pub struct Growing {
    cleaner: Cleaner,
    /// The source of the blocks that are not finished.
    open: String,
    /// The length of `open` when it was parsed last.
    parsed: usize,
    /// How many blocks are finished.
    frozen: usize,
    last: Option<Growth>,
    #[cfg(test)]
    work: usize,
}

/// How shown blocks change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Growth {
    /// How many blocks stay as they are.
    pub frozen: usize,
    /// The blocks after them.
    pub tail: Vec<Block>,
}

impl Growing {
    /// Takes the next piece of text; returns how what is shown changes, if it does.
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
            tail: parse_clean(settled(&self.open)),
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

    /// The last change, once the text has ended: nothing is held back any more.
    pub fn finish(&mut self) -> Growth {
        Growth {
            frozen: self.frozen,
            tail: parse_clean(&self.open),
        }
    }

    /// Freezes the blocks before the last blank line, if what follows it leaves them as
    /// they are and they were `sent` so.
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
        // A definition may be meant for links that are yet to come.
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
