//! The shape that every document is given.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A kind of document that is no page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentKind {
    /// ISO 32000.
    Pdf,
    /// Office Open XML, word processing.
    Docx,
    /// RSS 0.9 to 2.0, RDF Site Summary, Atom.
    Feed,
}

impl DocumentKind {
    /// The word that the module is told it by.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pdf => "pdf",
            Self::Docx => "docx",
            Self::Feed => "feed",
        }
    }

    /// The kind of this word.
    pub fn of(word: &str) -> Option<Self> {
        let all = [Self::Pdf, Self::Docx, Self::Feed];
        all.into_iter().find(|kind| kind.word() == word)
    }
}

/// What a document says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// What it calls itself; empty if it doesn't.
    pub title: String,
    /// A BCP 47 tag, as it declares it, else empty.
    pub language: String,
    /// Its text in reading order.
    pub blocks: Vec<Block>,
    /// Whether some of it was left out, for it was too long.
    pub is_cut: bool,
}

/// A paragraph, a heading, an item or a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// What it is.
    pub kind: Kind,
    /// Its words, white space folded; a row of a table is a line, its cells parted by tabs.
    pub text: String,
    /// Where it leads as a whole.
    pub link: Option<String>,
    /// The page that it begins on, from 1; 0 where there are no pages.
    pub page: u32,
}

/// What a [`Block`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// A heading of level 1 to 6.
    Heading(u8),
    /// Running text.
    Prose,
    /// An item of a list.
    Item,
    /// A table, whole.
    Table,
}

/// Why a document gave nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
pub enum Fault {
    /// There is no text in it: a PDF of pictures, say.
    #[error("the document has no text; it may consist of scanned pictures")]
    Empty,
    /// It opens with a password only.
    #[error("the document is locked with a password")]
    Locked,
    /// It is larger than is taken, or unpacks to more.
    #[error("the document is too large: more than {most_megabytes} MB")]
    TooLarge {
        /// What would be taken.
        most_megabytes: u32,
    },
    /// It is cut off, broken, or something else than it says.
    #[error("the document is damaged or incomplete: {message}")]
    Damaged {
        /// What was missed first.
        message: String,
    },
}

impl Fault {
    #[cfg(feature = "read")]
    pub(crate) fn damaged(message: impl Into<String>) -> Self {
        Self::Damaged {
            message: message.into(),
        }
    }
}
