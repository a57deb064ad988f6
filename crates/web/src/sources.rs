//! Pages of the web in tool results. Each passage has an id, by which an answer cites the passage.
//!
//! Example: `web_fetch` as the first call of step 2 returns the passage `w2a1.p4`. With
//! these records, the citation `[[w2a1.p4]]` is resolved to its text and page. Search results have
//! the same form, with the prefix `s`, as in `s2a1.p4`, and with the reason for their relevance
//! ([`Assessment`]).

use gloss_durable::json;
use gloss_durable::sorted::SortedMap;
use gloss_model::PassageData;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A page, and the passages of it that a tool result contains.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SourceData {
    /// The prefix of the page's passage ids. It stays the same when the passages are shortened.
    #[serde(default)]
    pub id: String,
    /// The final address of the page, after redirects.
    pub url: String,
    /// The requested address, if it differs from the final one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// The page's title.
    pub title: String,
    /// The selected passages of the page.
    #[serde(default)]
    pub passages: Vec<PassageData>,
    /// The share of the page's text that is in the passages, in percent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share_percent: Option<u8>,
    /// The number of the printed page for each passage, from 1, if the document has pages.
    #[serde(
        default,
        rename = "printedPages",
        skip_serializing_if = "SortedMap::is_empty"
    )]
    pub printed: SortedMap<String, u32>,
    /// The text directive (`text=…`) for a passage or sentence, by its id. Only passages and
    /// sentences whose words also occur earlier in the page have one.
    #[serde(
        default,
        rename = "textDirectives",
        skip_serializing_if = "SortedMap::is_empty"
    )]
    pub directives: SortedMap<String, String>,
    /// The assessment by the search; `None` for a page that was requested by its address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<Assessment>,
}

/// The assessment of a relevant page by a search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Assessment {
    /// The reason why the page is relevant, in one sentence.
    pub relevant: String,
    /// The confidence in the relevance, in percent.
    pub confidence_percent: u8,
    /// The publication date, as in `2026-01-31`, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The origin of the passages.
    pub standing: PassageOrigin,
}

/// The origin of the passages of a page that a search found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PassageOrigin {
    /// The passages are from the page, which was read.
    Read,
    /// The passage is the search provider's excerpt, because the page was not read.
    Excerpt,
}

/// The fields of a page that are only needed to make links.
const OF_LINKS: [&str; 2] = ["asked", "textDirectives"];

/// Removes the fields that are only needed to make links, so that the model does not read them.
pub fn for_reading(mut data: Value) -> Value {
    let pages = data.get_mut("pages").and_then(Value::as_array_mut);
    let pages = pages.into_iter().flatten();
    for page in pages.filter_map(Value::as_object_mut) {
        for name in OF_LINKS {
            page.remove(name);
        }
    }
    data
}

/// Returns the pages that the data of a tool result contains.
pub fn sources(data: &Value) -> Vec<SourceData> {
    let pages = data.get("pages").and_then(Value::as_array);
    let pages = pages.into_iter().flatten();
    pages
        .filter_map(|page| json::read::<SourceData>(page).ok())
        .collect()
}
