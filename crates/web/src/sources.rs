//! Pages from elsewhere, as results give them: each passage under an id of its own, by which an
//! answer cites it.
//!
//! Driving example: `web_fetch` of the first call in step 2 gives `w2a1.p4`. Whoever resolves
//! `[[w2a1.p4]]` finds its words and its page here, in what was recorded. What searches the
//! web gives its pages in the same shape, under `s`, as in `s2a1.p4`, and says why each is
//! relevant ([`Found`]).

use gloss_durable::json;
use gloss_durable::sorted::SortedMap;
use gloss_model::PassageData;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A page, and what a result gives of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SourceData {
    /// What the ids of its passages begin with: it stays with them where they are shortened.
    #[serde(default)]
    pub id: String,
    /// Where it stands in the end.
    pub url: String,
    /// The address that was asked for, where that led elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// Its title.
    pub title: String,
    /// What was chosen of it.
    #[serde(default)]
    pub passages: Vec<PassageData>,
    /// The share of the page that they are, in percent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share_percent: Option<u8>,
    /// The printed page, from 1, that a passage stands on, where there are such pages.
    #[serde(
        default,
        rename = "printedPages",
        skip_serializing_if = "SortedMap::is_empty"
    )]
    pub printed: SortedMap<String, u32>,
    /// The text directive (`text=…`) of a passage, or of a sentence of one, whose words stand
    /// on the page before, too.
    #[serde(
        default,
        rename = "textDirectives",
        skip_serializing_if = "SortedMap::is_empty"
    )]
    pub directives: SortedMap<String, String>,
    /// What a search says of it; `None` of one that was asked for by its address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<Found>,
}

/// What a search says of a page that bears on its question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    /// Why it is relevant, in a sentence.
    pub relevant: String,
    /// How sure that is, in percent.
    pub confidence_percent: u8,
    /// When it was published, as far as is known: `2026-01-31`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// What its passages are.
    pub standing: Standing,
}

/// What the passages of a page that was found are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Words of the page, which was read.
    Read,
    /// The search provider's excerpt: the page was not read.
    Excerpt,
}

/// What only links are made of, of a page that a result holds.
const OF_LINKS: [&str; 2] = ["asked", "textDirectives"];

/// What a model reads of a result: of its pages what links are made of is left out.
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

/// The pages that a result holds.
pub fn sources(data: &Value) -> Vec<SourceData> {
    let pages = data.get("pages").and_then(Value::as_array);
    let pages = pages.into_iter().flatten();
    pages
        .filter_map(|page| json::read::<SourceData>(page).ok())
        .collect()
}
