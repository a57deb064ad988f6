//! What a tool gives: data for the model, a line for the person.

use gloss_model::phrase::{Phrase, phrase};
use gloss_model::{Image, PassagesData};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a person is told of a result that they edited.
const EDITED: &str = "result_edited";

/// What a tool gives.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Output {
    /// For the model.
    pub data: Value,
    /// For the person, in one line (SPEC §4).
    pub summary: Phrase,
    /// The share of the page that it holds, in percent; `None` if it does not
    /// stand for the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share_percent: Option<u8>,
    /// For the person alone: no model is given it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<Picture>,
}

/// An image that was made for the person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// It.
    pub image: Image,
    /// What it shows, in words: all that who can't see it has of it.
    pub shows: String,
}

impl Output {
    /// Data, and a line about it.
    pub fn new(data: Value, summary: Phrase) -> Self {
        Self {
            data,
            summary,
            share_percent: None,
            picture: None,
        }
    }

    /// What the person put in the place of what a tool gave (in a fork): JSON, or words.
    pub fn edited(text: &str, share_percent: Option<u8>) -> Self {
        let data = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
        Self {
            share_percent,
            ..Self::new(data, phrase(EDITED))
        }
    }

    /// Whether the person put it in the place of what a tool gave. No tool says so of its own.
    pub fn is_edited(&self) -> bool {
        self.summary.key == EDITED
    }

    /// Passages of the page.
    pub(super) fn passages(data: PassagesData) -> Self {
        let found = &data.passages.len();
        let share_percent = data.share_percent;
        let summary = match share_percent {
            Some(share) => phrase("summary_passages").with(found).with(&share),
            None if data.passages.is_empty() => phrase("summary_nothing_found"),
            None => phrase("summary_found").with(found),
        };
        let data = serde_json::to_value(data).unwrap_or_default();
        Self {
            share_percent,
            ..Self::new(data, summary)
        }
    }
}
