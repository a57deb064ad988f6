//! The streamed text of an answer, as events.

use crate::citations::pressable;
use crate::events::Event;
use gloss_markdown::{Growing, Growth};

/// The streamed text of the model call that writes the answer.
#[derive(Default)]
pub(super) struct AnswerStream {
    intent: u64,
    /// The length of the text so far, in bytes.
    length: usize,
    growing: Growing,
}

impl AnswerStream {
    /// Adds streamed text and returns the event if the display changes; `page` is the address of
    /// the run's page.
    pub(super) fn take(
        &mut self,
        intent: u64,
        offset: usize,
        text: &str,
        page: &str,
    ) -> Option<Event> {
        if self.intent != intent || offset == 0 {
            *self = Self {
                intent,
                ..Self::default()
            };
        }
        // Text that comes after a gap is dropped, because the outcome contains the whole answer.
        if self.length != offset {
            return None;
        }
        self.length += text.len();
        self.growing.push(text).map(|growth| grew(growth, page))
    }
}

/// Returns the event that shows the text of an interrupted answer.
pub(super) fn grown(partial: &str, page: &str) -> Option<Event> {
    let growth = Growing::default().push(partial);
    growth.map(|growth| grew(growth, page))
}

fn grew(growth: Growth, page: &str) -> Event {
    let Growth { frozen, tail } = growth;
    Event::AnswerGrew {
        frozen,
        // The addresses that Gloss knows are looked up once, for the complete answer.
        tail: pressable(tail, page, &|_| false),
    }
}
