//! The words of a question. An answer must contain further words.
//!
//! Driving example: for "How many boys came?", a number next to "boys" is an answer, and a number
//! next to "girls" is not.

use std::collections::BTreeSet;

use super::super::english::is_stop_word;

/// The words of a question, in lower case.
#[derive(Debug, Default)]
pub(super) struct QuestionWords {
    words: BTreeSet<String>,
    /// The noun after "how many"; `None` for other questions.
    counted: Option<String>,
}

impl QuestionWords {
    pub(super) fn of(text: &str) -> Self {
        let parts = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’' | '-')));
        let bare = |word: &str| {
            let lower = word.to_lowercase();
            let bare = lower.trim_end_matches("'s").trim_end_matches("’s");
            bare.to_owned()
        };
        let all: Vec<String> = parts.filter(|word| !word.is_empty()).map(bare).collect();
        let many = all
            .windows(2)
            .find(|pair| pair.first().is_some_and(|word| word == "many"));
        Self {
            counted: many.and_then(|pair| pair.last().cloned()),
            words: all.into_iter().collect(),
        }
    }

    pub(super) fn has(&self, word: &str) -> bool {
        let lower = word.to_lowercase();
        let bare = lower.trim_end_matches("'s").trim_end_matches("’s");
        self.words.contains(bare)
    }

    /// Returns true if a number next to `word` may be the answer. `word` must be the noun after
    /// "how many", or another form of that noun.
    pub(super) fn counts(&self, word: &str) -> bool {
        let lower = word.to_lowercase();
        if let Some(counted) = &self.counted {
            return are_forms(counted, &lower);
        }
        let mut told = self.words.iter().filter(|word| !is_stop_word(word));
        !is_stop_word(&lower) && told.any(|known| are_forms(known, &lower))
    }

    /// Returns true for a "how many" question.
    pub(super) fn is_count(&self) -> bool {
        self.counted.is_some()
    }
}

/// Returns true if two words differ only by a short ending: "boy" and "boys".
fn are_forms(a: &str, b: &str) -> bool {
    let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    same >= 3 && a.len().max(b.len()) - same <= 3
}
