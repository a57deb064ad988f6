//! Facts that a long run must not lose. They are part of the task at the end of a prompt, and are
//! never shortened.

use gloss_text::tokens::estimate_item;
use serde::Serialize;

/// These facts may take at most `1 / SHARE` of a model's context window.
const SHARE: u32 = 4;

/// The finished subtasks and the key decisions. The prompt shows them
/// together with the run's goal.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Grounding {
    /// The finished subtasks, in the model's words.
    pub completed: Vec<String>,
    /// The decisions that later steps must follow.
    pub decisions: Vec<String>,
}

impl Grounding {
    /// Adds the subtasks and decisions that an observation reported. A text is left out if it is
    /// known already, or if it needs more than [`room`](Self::room) for a context window of
    /// `window` tokens.
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

    /// Returns the number of tokens that can still be added, for a context window of `window`
    /// tokens.
    pub fn room(&self, window: u32) -> u32 {
        (window / SHARE).saturating_sub(self.tokens())
    }

    /// Returns the estimated cost of all texts, in tokens.
    pub fn tokens(&self) -> u32 {
        let all = [&self.completed, &self.decisions];
        all.into_iter()
            .flatten()
            .map(|words| estimate_item(words))
            .sum()
    }
}
