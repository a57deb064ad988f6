//! A control block that is written once more behind the answer.
//!
//! Driving example: `<gloss>{…}</gloss>Two tides.` and then `<gloss>{…}</gloss>` again. Only
//! where nothing follows it is it for the loop; else the answer speaks of it.

use super::{Listener, State};
use crate::protocol::control::{self, Block};
use crate::protocol::signs::{GLOSS, Tag};

/// A block that is repeated is not longer than this, in bytes.
const LONGEST_REPEATED: usize = 4_000;

impl Listener {
    /// What is held turned out to be no block that is repeated: it is the answer's.
    pub(super) fn is_refuted(&mut self, show: &mut impl FnMut(&str)) -> bool {
        let inner = self.held.get(GLOSS.len()..).unwrap_or_default();
        let begins = inner.trim_start();
        let refuted = match inner.find(Tag::Gloss.close()) {
            _ if !begins.is_empty() && !begins.starts_with('{') => true,
            Some(end) => {
                let behind = inner.get(end + Tag::Gloss.close().len()..);
                !behind.unwrap_or_default().trim().is_empty()
            }
            None => inner.len() > LONGEST_REPEATED,
        };
        if refuted {
            let rest = self.held.split_off(GLOSS.len());
            self.held = rest;
            self.state = State::Open;
            self.show_all(GLOSS, show);
        }
        refuted
    }

    /// The reply ends with what may be a block that is repeated.
    pub(super) fn end_repeated(&mut self, show: &mut impl FnMut(&str)) {
        let held = std::mem::take(&mut self.held);
        let inner = held.strip_prefix(GLOSS).unwrap_or(&held);
        let closed = inner.split_once(Tag::Gloss.close());
        let inner = closed.map_or(inner, |(inner, _)| inner);
        match control::block(inner) {
            Block::Fields(fields, _) if control::is_silent(&fields) => {
                control::read(&fields, &mut self.speech.control);
            }
            // Half a block, cut off.
            Block::Broken if closed.is_none() => {}
            _ => self.show_all(&held, show),
        }
    }
}
