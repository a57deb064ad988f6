//! The answer at the end of a run.

use gloss_markdown::Block;
use gloss_model::phrase::Phrase;
use gloss_model::{AnswerOrigin, Finish, QuoteLabel};
use gloss_web::Assessment;
use gloss_web::rag::Card;
use serde::{Deserialize, Serialize};

/// The answer of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The origin of the text: quotes from the page, or a model. The interface shows the two
    /// origins in different typefaces.
    pub voice: AnswerOrigin,
    /// The layout of the answer.
    pub layout: Layout,
    /// The Markdown that the model wrote, for the prompts of later turns. It is never shown or
    /// copied; `blocks` are.
    pub markdown: String,
    /// The answer as parsed Markdown blocks.
    pub blocks: Vec<Block>,
    /// The cited passages, in the order of their first mention.
    pub citations: Vec<Citation>,
    /// The labels that Gloss puts between the blocks, in the order of their positions.
    #[serde(default)]
    pub leads: Vec<QuoteLabel>,
    /// The percentage of the page's text that was read; `None` if the page was not read or not
    /// used.
    pub share_percent: Option<u8>,
    /// The remarks below the answer: that it is uncertain, or that a limit cut it short.
    pub remarks: Vec<Phrase>,
    /// The reason that the model's reply ended.
    #[serde(default)]
    pub finish: Finish,
    /// The web searches for the answer and their results; `None` if there were none.
    pub research: Option<Research>,
}

/// The searches that were made for an answer, and the results that the answer doesn't cite.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Research {
    /// For each search, its queries in order. The model chose the first query. The others are
    /// rewritten.
    pub searched: Vec<Vec<String>>,
    /// For each search, the aspects of the question about which no result was found (DETAILS §4).
    /// Each aspect is a few words.
    pub missing: Vec<Vec<String>>,
    /// The results that were graded as not relevant.
    pub not_relevant: Vec<UncitedPage>,
    /// The relevant results that the answer doesn't cite.
    pub uncited: Vec<UncitedPage>,
    /// The results that were not graded, for example because the time ran out.
    pub unchecked: Vec<UncitedPage>,
    /// The pictures and films that were found, in order.
    pub cards: Vec<Card>,
    /// The reasons that searches failed, one line each.
    pub failures: Vec<Phrase>,
    /// The remark about the sources that is shown before the answer.
    pub disclaimer: Option<Disclaimer>,
}

/// A page that a search found and the answer doesn't cite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UncitedPage {
    /// The page's title.
    pub title: String,
    /// The page's address.
    pub url: String,
    /// The reason that the grading model gave; empty if there is none.
    #[serde(default)]
    pub reason: String,
}

/// A remark about the sources of an answer (Property 14).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Disclaimer {
    /// No relevant source was found, so the model answered from its own knowledge.
    Alone,
    /// The search failed, so the model answered from its own knowledge.
    Failed,
    /// No relevant source was found, and some sources were not graded.
    Unchecked,
    /// Relevant sources were found, but the answer cites none of them.
    Uncited,
}

/// The layout of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layout {
    /// A summary: the first paragraph is the gist, the list after it the key points.
    Summary,
    /// Running text.
    Prose,
}

/// A passage that an answer cites.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Citation {
    /// The passage's id: `p14.2` for the reference `[[p14.2]]`.
    pub passage: String,
    /// The number of the paragraph that contains the passage, shown as "¶ 14".
    pub paragraph: u32,
    /// The text of the passage, verbatim.
    pub quote: String,
    /// The address that opens the page at the passage: usually with a text fragment that highlights
    /// the passage.
    pub url: String,
    /// The title of the page, if the passage isn't from the page that the user asked about. The
    /// title may be empty.
    pub elsewhere: Option<String>,
    /// The search's assessment of the page, if a search found it.
    pub found: Option<Assessment>,
}
