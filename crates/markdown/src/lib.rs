#![doc = include_str!("../README.md")]

mod address;
mod cite;
mod escape;
mod growing;
#[cfg(test)]
mod hostile_tests;
mod links;
mod neutral;
mod parse;
mod plain;
mod streaming;

pub use address::{addresses, matches_address, plain_host};
pub use cite::without_elsewhere;
pub use escape::escape;
pub use growing::{Growing, Growth};
pub use links::with_links;
pub use neutral::{clean, line, shortened};
pub use parse::parse;
pub use plain::plain;

use serde::{Deserialize, Serialize};

/// A block of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    /// A paragraph.
    Paragraph {
        /// The text.
        inlines: Vec<Inline>,
    },
    /// A heading of level 1 to 6.
    Heading {
        /// The level, 1 to 6.
        level: u8,
        /// The text.
        inlines: Vec<Inline>,
    },
    /// A list; `start` is the first number of an ordered one.
    List {
        /// The first number, or `None` for bullets.
        start: Option<u64>,
        /// The items, each a list of blocks.
        items: Vec<Vec<Block>>,
    },
    /// A quotation.
    Quote {
        /// The quoted blocks.
        blocks: Vec<Block>,
    },
    /// Preformatted text.
    Code {
        /// The language that the fence names, or empty.
        language: String,
        /// The text, with its line breaks.
        text: String,
    },
    /// A table; the first row is its header.
    Table {
        /// Rows of cells, each a list of inlines.
        rows: Vec<Vec<Vec<Inline>>>,
    },
    /// A thematic break.
    Rule,
}

/// A piece of text within a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Inline {
    /// Plain text.
    Text {
        /// The text.
        text: String,
    },
    /// Strong emphasis.
    Strong {
        /// The emphasised text.
        inlines: Vec<Inline>,
    },
    /// Emphasised text.
    Emphasis {
        /// The emphasised text.
        inlines: Vec<Inline>,
    },
    /// Code within a line.
    Code {
        /// The code.
        text: String,
    },
    /// A link to an http, https or mailto address; other links are plain text.
    Link {
        /// The target's address.
        url: String,
        /// The text of the link.
        inlines: Vec<Inline>,
    },
    /// A reference to a passage by its id, written `[[p14.2]]` in an answer.
    Cite {
        /// The id of the passage.
        passage: String,
    },
    /// A line break.
    Break,
}
