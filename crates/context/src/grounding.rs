//! What a long run must not lose: word for word at the head of what a model is to do next.

use gloss_text::tokens::estimate_item;
use serde::Serialize;

/// Of a model's window, at most this much (DETAILS §9).
const SHARE: u32 = 4;

/// Finished subtasks, key decisions and preferences of a run. Its goal stands with them,
/// and in the person's own words in the conversation, which never shrink.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Grounding {
    /// What is done, as a model said when it was.
    pub completed: Vec<String>,
    /// What later steps must keep to.
    pub decisions: Vec<String>,
    /// What the person is known to prefer.
    pub preferences: Vec<String>,
}

impl Grounding {
    /// Adds what an observation said, as much of it as there is room for in a window of so
    /// many tokens; what was said before is not said again.
    pub fn add(&mut self, completed: &[String], decisions: &[String], window: u32) {
        let mut left = self.room(window);
        let kinds = [
            (&mut self.completed, completed),
            (&mut self.decisions, decisions),
        ];
        for (known, new) in kinds {
            for words in new {
                let cost = estimate_item(words);
                if cost <= left && !known.contains(words) {
                    left -= cost;
                    known.push(words.clone());
                }
            }
        }
    }

    /// For how many tokens more there is room in a window of so many, each text with its
    /// [`cost`].
    pub fn room(&self, window: u32) -> u32 {
        (window / SHARE).saturating_sub(self.tokens())
    }

    /// Takes in what is known of the person: no more than there is [`room`](Self::room) for.
    pub fn know(&mut self, preferences: Vec<String>) {
        self.preferences.extend(preferences);
    }

    /// What reading all of it costs, estimated.
    pub fn tokens(&self) -> u32 {
        let all = [&self.completed, &self.decisions, &self.preferences];
        all.into_iter()
            .flatten()
            .map(|words| estimate_item(words))
            .sum()
    }
}
