//! The tasks of the page service. They are sent to the page module as JSON.
//!
//! Tasks need no version: the worker and the module are from the same build, and tasks are never
//! stored.

use gloss_durable::sorted::SortedMap;
use gloss_model::{PassageData, PassagesData, Request};
use gloss_page::TextFormat;
use serde::{Deserialize, Serialize};

/// A task of the page service.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// Finds paragraphs about a query. Returns [`PassagesData`](gloss_model::PassagesData).
    Find {
        /// The words to search for.
        query: String,
        /// The maximum number of paragraphs.
        most: usize,
    },
    /// Selects as much of the page as fits. Returns [`PassagesData`](gloss_model::PassagesData),
    /// with the share of the page that was selected.
    Excerpt {
        /// The maximum size of the excerpt, in tokens.
        budget_tokens: u32,
        /// The subject whose paragraphs are chosen before all others.
        focus: Option<String>,
    },
    /// Explains a selected text. Returns [`PassagesData`](gloss_model::PassagesData).
    Explain {
        /// The selected text.
        text: String,
        /// The block that contains the selected text, if known.
        around: Option<String>,
        /// The maximum number of sentences.
        most: usize,
    },
    /// Selects the most important sentences of texts; no page is needed. Returns
    /// [`PassagesData`](gloss_model::PassagesData).
    Condense {
        /// The texts, each with its id.
        texts: Vec<PassageData>,
        /// The subject whose sentences are chosen first.
        focus: String,
        /// The sentences that are chosen after those about the focus.
        then: Filling,
        /// The maximum size of the outcome, in tokens.
        budget_tokens: u32,
    },
    /// Compares texts with a question; no page is needed. Returns one [`Bearing`] per text.
    WordOverlap {
        /// The texts, each with its id.
        texts: Vec<PassageData>,
        /// The question to compare with.
        question: String,
    },
    /// Resolves references to passages. Returns a list of [`CitedPassage`].
    Cite {
        /// References such as `p14.2`.
        ids: Vec<String>,
        /// The page's address.
        url: String,
    },
    /// Reads a text that isn't the page of a tab. Returns a [`Document`](gloss_page::Document) or a
    /// read error.
    Read {
        /// The format of the text.
        form: TextFormat,
        /// The text to read.
        text: String,
        /// The text's address.
        url: String,
    },
    /// Extracts passages of the page. Returns [`Extracts`].
    Extracts {
        /// The subject of the passages, if there is one.
        query: Option<String>,
        /// The maximum number of words; with `None`, only `budget_tokens` limits the size.
        most_words: Option<usize>,
        /// The maximum size, in tokens.
        budget_tokens: u32,
    },
    /// Answers a request as the on-device model. Returns a [`Reply`](gloss_model::Reply).
    Answer {
        /// The request, without its page.
        request: Request,
    },
}

/// The sentences that are chosen after those about the focus, if the budget allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Filling {
    /// The most informative sentences, then all others.
    TheRest,
    /// No further sentences.
    Nothing,
}

/// Passages extracted from a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extracts {
    /// The passages, with the share of the page that they contain.
    pub found: PassagesData,
    /// The text directives (`text=…`) with which links highlight passages and sentences, by their
    /// ids. There is one for each text whose words also occur earlier on the page. The caller can't
    /// compute these directives, because it doesn't store the whole page.
    pub directives: SortedMap<String, String>,
}

/// A passage of a page that a reference refers to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CitedPassage {
    /// The reference, such as `p14.2`.
    pub id: String,
    /// The number of the paragraph that contains the passage.
    pub paragraph: u32,
    /// The text of the passage, verbatim.
    pub quote: String,
    /// A link that opens the page and highlights the passage.
    pub url: String,
}

/// The words of a question that a text contains.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bearing {
    /// The share of the question's words that the text contains, in percent, 0–100.
    pub percent: u8,
    /// The words of the question that the text contains, as the question spells them.
    pub words: Vec<String>,
}
