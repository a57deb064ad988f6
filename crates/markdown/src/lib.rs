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
mod write;

pub use address::{addresses, matches_address, plain_host};
pub use cite::without_elsewhere;
pub use escape::escape;
pub use growing::{Growing, Growth};
pub use links::{JudgeLink, with_links};
pub use neutral::{clean, line, shortened, visible_json};
pub use parse::parse;
pub use plain::{plain, words};
pub use write::{WriteCite, write, write_target, write_text};

use serde::{Deserialize, Serialize};

/// A block of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    /// A paragraph.
    Paragraph {
        /// The text of the paragraph.
        inlines: Vec<Inline>,
    },
    /// A heading of level 1 to 6.
    Heading {
        /// The level, 1 to 6.
        level: u8,
        /// The text of the heading.
        inlines: Vec<Inline>,
    },
    /// A list, with numbers or with bullets.
    List {
        /// The first number; `None` for a list with bullets.
        start: Option<u64>,
        /// The items, each a list of blocks.
        items: Vec<Vec<Block>>,
    },
    /// A quotation, which may contain any blocks.
    Quote {
        /// The quoted blocks.
        blocks: Vec<Block>,
    },
    /// Preformatted text, such as program code.
    Code {
        /// The language after the opening fence, such as `rust`; empty if there is none.
        language: String,
        /// The text, with its line breaks.
        text: String,
    },
    /// A table. Its first row is the header.
    Table {
        /// The rows of the table. Each row is a list of cells, and each cell a list of inlines.
        rows: Vec<Vec<Vec<Inline>>>,
    },
    /// A horizontal line between blocks.
    Rule,
}

/// A part of the text within a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Inline {
    /// Plain text.
    Text {
        /// The text.
        text: String,
    },
    /// Text with strong emphasis, which is shown in bold.
    Strong {
        /// The emphasised text.
        inlines: Vec<Inline>,
    },
    /// Text with emphasis, which is shown in italics.
    Emphasis {
        /// The emphasised text.
        inlines: Vec<Inline>,
    },
    /// Code within a line of text.
    Code {
        /// The code.
        text: String,
    },
    /// A link to an http, https or mailto address. A link to any other address becomes plain text.
    Link {
        /// The target's address. An email's address has no headers.
        url: String,
        /// The origin of the address.
        #[serde(default)]
        origin: LinkOrigin,
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

/// The origin of a link's address. It decides how much of the address is shown after the link's
/// text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkOrigin {
    /// The model wrote the address, so any part of it may carry text out. All of it is shown.
    #[default]
    Model,
    /// The address is literally one that the user wrote, of a source, or of a link of the page. Its
    /// host is shown.
    Known,
}
