//! The result of a tool: data for the model and a line for the user.

use gloss_model::phrase::{Phrase, phrase};
use gloss_model::{Image, PassagesData};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The summary of a result that the user edited: a message key.
const EDITED: &str = "result_edited";

/// The result of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Output {
    /// The data for the model.
    pub data: Value,
    /// The summary for the user, in one line (SPEC §4).
    pub summary: Phrase,
    /// The share of the page that the result contains, in percent; `None` if it does not represent
    /// the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share_percent: Option<u8>,
    /// An image for the user; models are never sent it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<Picture>,
}

/// A generated image.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// The image itself.
    pub image: Image,
    /// The description of the image for users who can't see it.
    pub shows: String,
}

impl Output {
    /// A result without an image that does not represent the page.
    pub fn new(data: Value, summary: Phrase) -> Self {
        Self {
            data,
            summary,
            share_percent: None,
            picture: None,
        }
    }

    /// The user's replacement of a tool result in a fork: JSON or plain text.
    pub fn edited(text: &str, share_percent: Option<u8>) -> Self {
        let data = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
        Self {
            share_percent,
            ..Self::new(data, phrase(EDITED))
        }
    }

    /// Returns true if the user replaced this result. No tool uses the same summary.
    pub fn is_edited(&self) -> bool {
        self.summary.key == EDITED
    }

    /// Passages of the page, as a result.
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
