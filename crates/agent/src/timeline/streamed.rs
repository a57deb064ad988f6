//! The answer as it streams.

use crate::citations::pressable;
use crate::events::Event;
use gloss_markdown::{Growing, Growth};

/// What came of the call that writes it.
#[derive(Default)]
pub(super) struct Streamed {
    intent: u64,
    /// How much came so far, in bytes.
    length: usize,
    growing: Growing,
}

impl Streamed {
    /// What more of it tells, if it changes what is shown; `page` is the address of the page that
    /// it is about.
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
        // A delta that does not follow on is not guessed at: the answer comes whole.
        if self.length != offset {
            return None;
        }
        self.length += text.len();
        self.growing.push(text).map(|growth| grew(growth, page))
    }
}

/// What had come of an answer that went no further.
pub(super) fn grown(partial: &str, page: &str) -> Option<Event> {
    let growth = Growing::default().push(partial);
    growth.map(|growth| grew(growth, page))
}

fn grew(growth: Growth, page: &str) -> Event {
    let Growth { frozen, tail } = growth;
    Event::AnswerGrew {
        frozen,
        tail: pressable(tail, page),
    }
}
