//! A thought by `ReAct`, which nobody sees before it is known to be one.
//!
//! Driving example: `Thought: I look it up.` is held back until `Action:` follows, or `Final
//! Answer:`. Where a paragraph ends and words follow, it was the answer's own, and is shown as it
//! comes; so is one behind which nothing follows.

use super::{Listener, State};
use crate::model::protocol::calls::Reading;
use crate::model::protocol::react::{self, Label, Labelled};
use crate::model::protocol::signs::Sign;
use crate::phrase::Said;

/// A thought, as far as it has come.
#[derive(Default)]
pub(super) struct Thinking {
    pub(super) text: String,
    /// Its last line is empty so far.
    at_line: bool,
    /// A paragraph has ended.
    ended: bool,
}

impl Thinking {
    /// It goes on; false if it is no thought.
    fn goes_on(&mut self, text: &str) -> bool {
        self.text.push_str(text);
        text.chars().all(|letter| {
            if letter == '\n' {
                self.ended |= self.at_line;
                self.at_line = true;
            } else if !letter.is_whitespace() {
                self.at_line = false;
                return !self.ended;
            }
            true
        })
    }
}

impl Listener {
    /// Keeps a text as a part of the thought at hand; what is to be shown if there is none, or
    /// it turns out to be none.
    pub(super) fn think(&mut self, text: &str) -> Option<String> {
        let thinking = self.thinking.as_mut()?;
        if thinking.goes_on(text) {
            return Some(String::new());
        }
        self.thinking.take().map(|thinking| thinking.text)
    }

    /// What it leads to begins.
    pub(super) fn end_thought(&mut self) {
        let Some(thinking) = self.thinking.take() else {
            return;
        };
        let text = thinking.text.trim_start();
        let words = match react::labelled(text, &[Label::Thought]) {
            Labelled::With(_, length) => text.get(length..).unwrap_or_default(),
            Labelled::Unknown | Labelled::Not => text,
        };
        let words = words.trim();
        if self.speech.control.thought.is_none() && !words.is_empty() {
            self.speech.control.thought = Some(Said::words(words));
        }
    }

    /// The reply is over within what is not known yet: an action may end without a line's end.
    pub(super) fn end_line(&mut self, show: &mut impl FnMut(&str)) {
        if self.state == State::Open && self.reading.ends_with_action(&self.held) {
            self.held.push('\n');
            while self.advance(show) {}
        }
    }
}

impl Reading {
    fn ends_with_action(&self, rest: &str) -> bool {
        let line = format!("{rest}\n");
        matches!(react::sign(&line, self.tools.known()), Sign::Call)
    }
}
