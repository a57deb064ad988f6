//! The facts that a long run must not lose. They are placed verbatim before the model's next message.

use gloss_text::tokens::estimate_item;
use serde::Serialize;

/// The fraction of a model's context window that they may take, as a divisor (DETAILS §9).
const SHARE: u32 = 4;

/// Finished subtasks, key decisions and the user's preferences. The run's goal is shown with them,
/// and in the user's own words in the conversation, which never shrink.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Grounding {
    /// The finished subtasks, in the model's words.
    pub completed: Vec<String>,
    /// The decisions that later steps must keep to.
    pub decisions: Vec<String>,
    /// The known preferences of the user.
    pub preferences: Vec<String>,
}

impl Grounding {
    /// Adds what an observation reported, as far as a window of `window` tokens has room. A text
    /// that is already known is not added again.
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

    /// The number of tokens that are still free in a window of `window` tokens.
    pub fn room(&self, window: u32) -> u32 {
        (window / SHARE).saturating_sub(self.tokens())
    }

    /// Adds preferences of the user; the caller keeps them within [`room`](Self::room).
    pub fn add_preferences(&mut self, preferences: Vec<String>) {
        self.preferences.extend(preferences);
    }

    /// The estimated cost of all texts, in tokens.
    pub fn tokens(&self) -> u32 {
        let all = [&self.completed, &self.decisions, &self.preferences];
        all.into_iter()
            .flatten()
            .map(|words| estimate_item(words))
            .sum()
    }
}
