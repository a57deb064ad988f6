//! The structure into which PDF, DOCX and feeds are read.

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
    /// Returns the name under which the kind is passed to the wasm module.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pdf => "pdf",
            Self::Docx => "docx",
            Self::Feed => "feed",
        }
    }

    /// Returns the kind with this name; `None` if there is none.
    pub fn of(word: &str) -> Option<Self> {
        let all = [Self::Pdf, Self::Docx, Self::Feed];
        all.into_iter().find(|kind| kind.word() == word)
    }
}

/// The content of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// The title that the document declares. If there is none, this is the first heading, or else
    /// empty.
    pub title: String,
    /// The BCP 47 language tag that the document declares; empty if none.
    pub language: String,
    /// The blocks in reading order.
    pub blocks: Vec<Block>,
    /// True if a part of the document was left out because the document is too long.
    pub is_cut: bool,
}

/// A paragraph, a heading, a list item or a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// The kind of block.
    pub kind: Kind,
    /// The text with white space collapsed. In a table, each row is a line, and tabs separate its
    /// cells.
    pub text: String,
    /// The address that the whole block links to, if any.
    pub link: Option<String>,
    /// The page on which the block begins, from 1; 0 if the document has no pages.
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

/// The reasons for which a document could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
pub enum Fault {
    /// The document has no text; a PDF of scanned pages, for example.
    #[error("the document has no text; it may consist of scanned pictures")]
    Empty,
    /// The document can only be opened with a password.
    #[error("the document is locked with a password")]
    Locked,
    /// The file is larger than the limit.
    #[error("the document is too large: more than {most_megabytes} MB")]
    TooLarge {
        /// The limit, in megabytes.
        most_megabytes: u32,
    },
    /// The file is truncated, broken, or has another format than its type claims.
    #[error("the document is damaged or incomplete: {message}")]
    Damaged {
        /// The first problem that was found, in English.
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
