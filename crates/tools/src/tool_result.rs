//! The result of a tool: data for the model and a line for the user.

use gloss_model::phrase::{Phrase, phrase};
use gloss_model::provenance::{Origin, Provenance};
use gloss_model::{Image, PassagesData};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The message key of the summary of a result that the user edited.
const EDITED: &str = "result_edited";

/// The result of a tool call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Output {
    /// The data that the model reads.
    pub data: Value,
    /// The summary that the user reads, in one line (SPEC §4).
    pub summary: Phrase,
    /// The share of the page's text that the result contains, in percent; `None` if the result does
    /// not represent the whole page.
    pub share_percent: Option<u8>,
    /// An image for the user, which is never sent to a model.
    pub picture: Option<Picture>,
    /// The origins of the data.
    #[serde(default = "unknown")]
    pub provenance: Provenance,
}

/// Returns the provenance of a result that does not state one.
fn unknown() -> Provenance {
    Provenance::of(Origin::Tool(String::new()))
}

/// A generated image.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// The bytes of the image and their type.
    pub image: Image,
    /// The description of the image for users who can't see it.
    pub shows: String,
}

impl Output {
    /// Makes a result that has no image and no share of the page.
    pub fn new(data: Value, summary: Phrase, provenance: Provenance) -> Self {
        Self {
            data,
            summary,
            share_percent: None,
            picture: None,
            provenance,
        }
    }

    /// Makes a result from the text with which the user replaced a tool result in a fork. The text
    /// is JSON or plain text.
    pub fn edited(text: &str, share_percent: Option<u8>) -> Self {
        let data = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
        Self {
            share_percent,
            ..Self::new(data, phrase(EDITED), unknown())
        }
    }

    /// Returns true if the user replaced this result. Only such a result has the summary `EDITED`.
    pub fn is_edited(&self) -> bool {
        self.summary.key == EDITED
    }

    /// Makes a result from passages of the run's page. The page is an origin of the whole run, so
    /// the address is left out.
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
            ..Self::new(data, summary, Provenance::of(Origin::Page(String::new())))
        }
    }
}
