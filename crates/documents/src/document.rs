//! The common structure of PDF, DOCX and feeds.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A document format other than HTML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentKind {
    /// Portable Document Format, ISO 32000.
    Pdf,
    /// A word-processing document of Office Open XML.
    Docx,
    /// A feed: RSS 0.9 to 2.0, RDF Site Summary or Atom.
    Feed,
}

impl DocumentKind {
    /// The name of the kind, as it is passed to the wasm module.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pdf => "pdf",
            Self::Docx => "docx",
            Self::Feed => "feed",
        }
    }

    /// The kind with this name.
    pub fn of(word: &str) -> Option<Self> {
        let all = [Self::Pdf, Self::Docx, Self::Feed];
        all.into_iter().find(|kind| kind.word() == word)
    }
}

/// The content of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// The title that the document declares; if none, usually its first heading, else empty.
    pub title: String,
    /// The declared BCP 47 language tag, or empty.
    pub language: String,
    /// The text, in reading order.
    pub blocks: Vec<Block>,
    /// True if part of the document was left out because it is too long.
    pub is_cut: bool,
}

/// A paragraph, a heading, a list item or a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// The kind of block.
    pub kind: Kind,
    /// The text with white space collapsed. Each row of a table is a line, with cells separated by
    /// tabs.
    pub text: String,
    /// The address that the whole block links to.
    pub link: Option<String>,
    /// The page on which it begins, from 1; 0 if the document has no pages.
    pub page: u32,
}

/// The kinds of a [`Block`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// A heading of level 1 to 6.
    Heading(u8),
    /// Running text.
    Prose,
    /// A list item.
    Item,
    /// A whole table.
    Table,
}

/// The reason why a document could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
pub enum Fault {
    /// It has no text, such as a PDF of scanned pictures.
    #[error("the document has no text; it may consist of scanned pictures")]
    Empty,
    /// It can only be opened with a password.
    #[error("the document is locked with a password")]
    Locked,
    /// The file is larger than the limit.
    #[error("the document is too large: more than {most_megabytes} MB")]
    TooLarge {
        /// The limit, in megabytes.
        most_megabytes: u32,
    },
    /// It is truncated, broken, or not of the format it claims.
    #[error("the document is damaged or incomplete: {message}")]
    Damaged {
        /// The first problem that was found.
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
