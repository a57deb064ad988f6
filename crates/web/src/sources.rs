//! Pages of the web in tool results. Each passage has an id, by which an answer cites it.
//!
//! Driving example: `web_fetch` as the first call of step 2 returns `w2a1.p4`. The citation
//! `[[w2a1.p4]]` is resolved to its text and page with these records. Search results have the same
//! shape with the prefix `s`, as in `s2a1.p4`, and the reason for their relevance ([`Assessment`]).

use gloss_durable::json;
use gloss_durable::sorted::SortedMap;
use gloss_model::PassageData;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A page, and the passages that a result contains of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SourceData {
    /// The prefix of its passage ids. It is kept when the passages are shortened.
    #[serde(default)]
    pub id: String,
    /// The address after redirects.
    pub url: String,
    /// The requested address, if it differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// The page's title.
    pub title: String,
    /// The selected passages.
    #[serde(default)]
    pub passages: Vec<PassageData>,
    /// The share of the page that the passages contain, in percent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share_percent: Option<u8>,
    /// The printed page of each passage, from 1, if the document has pages.
    #[serde(
        default,
        rename = "printedPages",
        skip_serializing_if = "SortedMap::is_empty"
    )]
    pub printed: SortedMap<String, u32>,
    /// The text directive (`text=…`) for each passage, or for a sentence of it, whose words also
    /// occur earlier in the page.
    #[serde(
        default,
        rename = "textDirectives",
        skip_serializing_if = "SortedMap::is_empty"
    )]
    pub directives: SortedMap<String, String>,
    /// The search's assessment; `None` for a page that was requested by its address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<Assessment>,
}

/// A search's assessment of a relevant page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Assessment {
    /// The reason for its relevance, in one sentence.
    pub relevant: String,
    /// The confidence in that, in percent.
    pub confidence_percent: u8,
    /// The date of publication if known: `2026-01-31`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The origin of the passages.
    pub standing: PassageOrigin,
}

/// The origin of a found page's passages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PassageOrigin {
    /// The page itself, which was read.
    Read,
    /// The search provider's excerpt: the page was not read.
    Excerpt,
}

/// The fields of a page that only serve to make links.
const OF_LINKS: [&str; 2] = ["asked", "textDirectives"];

/// Removes the fields that only serve to make links, for a model.
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

/// The pages that a result contains.
pub fn sources(data: &Value) -> Vec<SourceData> {
    let pages = data.get("pages").and_then(Value::as_array);
    let pages = pages.into_iter().flatten();
    pages
        .filter_map(|page| json::read::<SourceData>(page).ok())
        .collect()
}
