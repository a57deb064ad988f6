#![doc = include_str!("../README.md")]

mod blocks;
mod cells;
mod code;
mod description;
mod discussion_turns;
mod documents;
mod element;
mod entries;
mod excerpt;
mod explanations;
mod extract;
mod extracted;
mod fragment;
mod genre;
mod links;
mod markdown;
mod metadata;
mod navigation;
mod nesting;
mod parse;
mod passages;
mod plain;
mod read;
mod reading;
mod run;
mod sections;
mod table;
mod text_format;
mod tree;
mod word_count;

use serde::{Deserialize, Serialize};

pub use documents::link_to_page;
pub use entries::Entry;
pub use excerpt::Excerpt;
pub use fragment::{Fragments, link, text_fragment, without_place};
pub use genre::Genre;
pub use passages::{Passage, PassageSearch};
pub use read::{ReadError, read};
pub use reading::Sentence;
pub use sections::Section;
pub use text_format::{TextFormat, read_as};

/// The readable part of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// The article's title. If the title ends with the site's name, the name is removed: "Tides -
    /// Wikipedia" -> "Tides".
    pub title: String,
    /// The BCP 47 language tag that the page declares; empty if none.
    pub language: String,
    /// The main content in reading order. The paragraphs are numbered from 1 without gaps.
    pub paragraphs: Vec<Paragraph>,
    /// The number of the first paragraph of each page, for a document with pages such as a PDF. A
    /// page without paragraphs has the number of the first paragraph after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pages: Vec<u32>,
    /// The publisher's description in the page's metadata; empty if none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// The words of the page outside the main content, each once, separated by spaces.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub other_words: String,
}

impl Document {
    /// Returns the visible texts and the targets of the links, in reading order.
    pub fn links(&self) -> Vec<(String, String)> {
        let targets = |paragraph: &Paragraph| {
            let mut targets = Vec::new();
            let mut before = "";
            for part in paragraph.markdown.split("](") {
                // Brackets in the page's own text are escaped with a backslash, so no link target
                // follows `\](`.
                let leads = !before.is_empty() && !before.ends_with('\\');
                if let Some((url, _)) = part.split_once(')').filter(|_| leads) {
                    // The text begins after the last bracket that is not the page's own.
                    let text = match before
                        .rmatch_indices('[')
                        .find(|(at, _)| !before.get(..*at).is_some_and(|it| it.ends_with('\\')))
                    {
                        Some((at, _)) => before.get(at + 1..).unwrap_or_default(),
                        None => before,
                    };
                    targets.push((text.to_owned(), url.to_owned()));
                }
                before = part;
            }
            targets
        };
        let paragraphs = self.paragraphs.iter();
        let told = paragraphs.filter(|paragraph| paragraph.kind != Kind::Code);
        told.flat_map(targets).collect()
    }
}

/// One block of a [`Document`], such as a paragraph, a list item or a code block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paragraph {
    /// The paragraph's position in the document, from 1. The interface shows the number after "¶".
    pub number: u32,
    /// The kind of block.
    pub kind: Kind,
    /// The plain text. Each run of white space is replaced by one space; all other characters are
    /// those of the page, so that quoted sentences are verbatim. Forced line breaks (in poems,
    /// addresses, code and tables) stay, because a text fragment can't match text across a line
    /// break.
    pub text: String,
    /// The text as Markdown.
    pub markdown: String,
}

/// The kinds of a [`Paragraph`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A heading of level 1 to 6.
    Heading(u8),
    /// Running text.
    Prose,
    /// An item of a list, ordered or not, at any depth.
    Item,
    /// A term or a definition in a definition list.
    Definition,
    /// Quoted text.
    Quote,
    /// A caption of a figure or a table.
    Caption,
    /// Preformatted text.
    Code,
    /// A whole table.
    Table,
}
