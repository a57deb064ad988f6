//! An answer as it stands at the end of a run.

use gloss_markdown::Block;
use gloss_model::phrase::Phrase;
use gloss_model::{Finish, Lead, Voice};
use gloss_web::Found;
use gloss_web::rag::Card;
use serde::{Deserialize, Serialize};

/// What a run answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Whose words these are: type tells (`ui/README.md`).
    pub voice: Voice,
    /// How it is laid out.
    pub layout: Layout,
    /// The answer as Markdown, for copying and export.
    pub markdown: String,
    /// The same as blocks.
    pub blocks: Vec<Block>,
    /// The passages it cites, in the order of their first mention.
    pub citations: Vec<Citation>,
    /// Our words between the blocks, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leads: Vec<Lead>,
    /// The share of the page that was read, in percent.
    pub share_percent: Option<u8>,
    /// What is to be said under it: that it is unsure, or that a bound cut it short.
    pub remarks: Vec<Phrase>,
    /// Whether its model had said all.
    #[serde(default)]
    pub finish: Finish,
    /// What was searched for it on the web, and what that found; `None` where nothing was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub research: Option<Researched>,
}

/// What was searched for an answer, besides what it cites.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Researched {
    /// The queries, each search's in their order: the first as it was asked, each later one
    /// rewritten.
    pub searched: Vec<Vec<String>>,
    /// What each search was to cover and does not, in a few words each (DETAILS §4); in the
    /// same order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<Vec<String>>,
    /// What was found and is not relevant.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_relevant: Vec<Left>,
    /// What was found and is relevant, and that the answer does not cite.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub uncited: Vec<Left>,
    /// What nobody graded in time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unchecked: Vec<Left>,
    /// The pictures and films that were found, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cards: Vec<Card>,
    /// Why searches failed, a line each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<Phrase>,
    /// What is to be said before the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disclaimer: Option<Disclaimer>,
}

/// A page that a search found and that is not cited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Left {
    /// Its title.
    pub title: String,
    /// Where it is.
    pub url: String,
    /// Why it is not cited; empty where nobody said.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

/// What an answer has to say of itself (Property 14).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Disclaimer {
    /// No relevant source was found: it is from the model alone.
    Alone,
    /// The same, as the search failed.
    Failed,
    /// Nothing relevant was found, and some sources were not checked in time.
    Unchecked,
    /// Relevant sources were found, and it cites none of them.
    Uncited,
}

/// How an answer is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layout {
    /// The first paragraph is the gist, the list after it the key points.
    Summary,
    /// Running text.
    Prose,
}

/// A passage that an answer cites.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Citation {
    /// The passage's id, as in `[[p14.2]]`.
    pub passage: String,
    /// The paragraph's number, as in ¶ 14.
    pub paragraph: u32,
    /// The passage, word for word.
    pub quote: String,
    /// The page with that passage highlighted (a text fragment).
    pub url: String,
    /// The title of its page, where that is not the one that the run reads; it may have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elsewhere: Option<String>,
    /// Why a search took its page for relevant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<Found>,
}
