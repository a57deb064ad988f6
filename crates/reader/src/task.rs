//! The tasks of the page service, as they are sent to its module.
//!
//! Both ends are of one build: these shapes are never stored and carry no version.

use gloss_durable::sorted::SortedMap;
use gloss_model::{PassageData, PassagesData, Request};
use gloss_page::TextFormat;
use serde::{Deserialize, Serialize};

/// A task of the page service.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// Finds paragraphs. Returns [`PassagesData`](gloss_model::PassagesData).
    Find {
        /// The words to search for.
        query: String,
        /// The maximum number of paragraphs.
        most: usize,
    },
    /// Selects what fits. Returns [`PassagesData`](gloss_model::PassagesData), with the share of
    /// the page.
    Excerpt {
        /// The size of the excerpt, in tokens.
        budget_tokens: u32,
        /// The subject whose paragraphs are chosen first.
        focus: Option<String>,
    },
    /// Explains a selected text. Returns [`PassagesData`](gloss_model::PassagesData).
    Explain {
        /// The selected text.
        text: String,
        /// The block that contains it.
        around: Option<String>,
        /// The maximum number of sentences.
        most: usize,
    },
    /// Selects sentences of texts. Returns [`PassagesData`](gloss_model::PassagesData). Needs no
    /// page.
    Condense {
        /// The texts, each with its id.
        texts: Vec<PassageData>,
        /// The subject whose sentences are chosen first.
        focus: String,
        /// The sentences that follow them.
        then: Filling,
        /// The size of the outcome, in tokens.
        budget_tokens: u32,
    },
    /// Compares texts with a question. Returns one [`Bearing`] per text. Needs no page.
    WordOverlap {
        /// The texts, each with its id.
        texts: Vec<PassageData>,
        /// The question to compare with.
        question: String,
    },
    /// Resolves references. Returns a list of [`CitedPassage`].
    Cite {
        /// References such as `p14.2`.
        ids: Vec<String>,
        /// The page's address.
        url: String,
    },
    /// Reads a text that no tab shows. Returns a [`Document`](gloss_page::Document) or a read
    /// error.
    Read {
        /// The format of the text.
        form: TextFormat,
        /// The text to read.
        text: String,
        /// The text's address.
        url: String,
    },
    /// Extracts passages. Returns [`Extracts`].
    Extracts {
        /// The subject of the passages, if there is one.
        query: Option<String>,
        /// The maximum number of words; `None` sets no limit but `budget_tokens`.
        most_words: Option<usize>,
        /// The maximum size, in tokens.
        budget_tokens: u32,
    },
    /// Answers as the on-device model. Returns its [`Reply`](gloss_model::Reply).
    Answer {
        /// The request, without the page.
        request: Request,
    },
}

/// The sentences that follow those about the focus, if there is room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Filling {
    /// The most informative ones, then the rest.
    TheRest,
    /// No further sentences.
    Nothing,
}

/// Passages of a page that is not stored itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extracts {
    /// The passages, with their share of the page.
    pub found: PassagesData,
    /// The text directives of passages, or of sentences in them, whose words also occur earlier on
    /// the page. Only the whole page shows how to link to those.
    pub directives: SortedMap<String, String>,
}

/// The passage of a page that a reference names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CitedPassage {
    /// The reference, such as `p14.2`.
    pub id: String,
    /// The number of its paragraph.
    pub paragraph: u32,
    /// Its text, verbatim.
    pub quote: String,
    /// A link to the page that highlights it.
    pub url: String,
}

/// The share of a question's words that a text contains.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bearing {
    /// The share in percent, 0–100.
    pub percent: u8,
    /// The shared words, as the question spells them.
    pub words: Vec<String>,
}
