//! What may be asked for, as it goes to where it is done.
//!
//! Both ends are of one build: these shapes are kept nowhere and carry no version.

use gloss_durable::sorted::SortedMap;
use gloss_model::{PassageData, PassagesData, Request};
use gloss_page::Form;
use serde::{Deserialize, Serialize};

/// Something to be done with a page.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// Gives [`PassagesData`](gloss_model::PassagesData).
    Find {
        /// What is looked for.
        query: String,
        /// So many paragraphs at most.
        most: usize,
    },
    /// Gives [`PassagesData`](gloss_model::PassagesData), with their share of the page.
    Excerpt {
        /// The room there is.
        budget_tokens: u32,
        /// What comes first.
        focus: Option<String>,
    },
    /// Gives [`PassagesData`](gloss_model::PassagesData).
    Explain {
        /// The text.
        text: String,
        /// The block that it stands in.
        around: Option<String>,
        /// So many sentences at most.
        most: usize,
    },
    /// Gives [`PassagesData`](gloss_model::PassagesData): sentences of the texts. Needs no page.
    Condense {
        /// Each under its id.
        texts: Vec<PassageData>,
        /// What comes first.
        focus: String,
        /// What comes behind it.
        then: Then,
        /// The room there is.
        budget_tokens: u32,
    },
    /// Gives a list of [`Bearing`], one for each text. Needs no page.
    Bear {
        /// Each under its id.
        texts: Vec<PassageData>,
        /// What they may bear on.
        question: String,
    },
    /// Gives a list of [`Cited`].
    Cite {
        /// References, as in `p14.2`.
        ids: Vec<String>,
        /// Where the page stands.
        url: String,
    },
    /// Gives a [`Document`](gloss_page::Document), or why there is none: of a text from elsewhere, which stands in no tab.
    Read {
        /// How it is written.
        form: Form,
        /// It.
        text: String,
        /// Where it stands.
        url: String,
    },
    /// Gives [`Extracts`].
    Extracts {
        /// What they are to bear on, if anything.
        query: Option<String>,
        /// So many words at most; `None`: as many as there is room for.
        most_words: Option<usize>,
        /// The room there is.
        budget_tokens: u32,
    },
    /// Gives the [`Reply`](gloss_model::Reply) of the on-device model.
    Answer {
        /// What it is asked, but for the page.
        request: Request,
    },
}

/// What is told behind what bears on a focus, where there is room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Then {
    /// What says most, and the rest.
    TheRest,
    /// Nothing.
    Nothing,
}

/// Passages of a page from elsewhere, of which nothing but they is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extracts {
    /// They, with their share of the page.
    pub found: PassagesData,
    /// The text directives of those passages, and sentences of them, whose words stand on the
    /// page before, too: the passage alone can't tell where it is highlighted.
    pub directives: SortedMap<String, String>,
}

/// A passage of the page that a reference names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cited {
    /// The reference.
    pub id: String,
    /// The paragraph's number.
    pub paragraph: u32,
    /// Its words, verbatim.
    pub quote: String,
    /// Where it is highlighted.
    pub url: String,
}

/// How far a text bears on a question by its words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bearing {
    /// The share of the question's words that it has, in percent.
    pub percent: u8,
    /// Them, as the question has them.
    pub words: Vec<String>,
}
