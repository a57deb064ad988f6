#![doc = include_str!("../README.md")]

mod answering;
mod blocks;
mod cells;
mod code;
mod column;
mod declared;
mod documents;
mod element;
mod entries;
mod excerpt;
mod explaining;
mod extract;
mod form;
mod fragment;
mod genre;
mod links;
mod markdown;
mod nesting;
mod plain;
mod read;
mod reading;
mod run;
mod sections;
mod slim;
mod table;
mod tree;
mod turns;
mod walked;

use serde::{Deserialize, Serialize};

pub use answering::Answering;
pub use documents::link_to_page;
pub use excerpt::Excerpt;
pub use form::{Form, read_as};
pub use fragment::{Fragments, link, text_fragment, without_place};
pub use genre::{Entry, Genre};
pub use read::{ReadError, read};
pub use reading::Sentence;
pub use sections::Section;

/// The readable part of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// The article's title, without the site's name where that could be told.
    pub title: String,
    /// A BCP 47 tag: what the page declares, else empty.
    pub language: String,
    /// The main content in reading order; `number` counts from 1 without gaps.
    pub paragraphs: Vec<Paragraph>,
    /// With which paragraph each page begins, where it has pages, as a PDF does; one without
    /// a paragraph begins with that of the next.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pages: Vec<u32>,
}

impl Document {
    /// Where its links lead, in reading order.
    pub fn links(&self) -> Vec<String> {
        let targets = |paragraph: &Paragraph| {
            let mut targets = Vec::new();
            let mut before = "";
            for part in paragraph.markdown.split("](") {
                // What the page says with these marks is escaped, and leads nowhere.
                let leads = !before.is_empty() && !before.ends_with('\\');
                if let Some((url, _)) = part.split_once(')').filter(|_| leads) {
                    targets.push(url.to_owned());
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

/// One block of a [`Document`]: what a reader would call a paragraph, an item, a row of code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paragraph {
    /// Its place, from 1: the number beside ¶.
    pub number: u32,
    /// What it is.
    pub kind: Kind,
    /// Its plain words with white space folded, exactly as they stand on the page:
    /// sentences quoted from it are verbatim. A line break stands where the page
    /// forces one (poems, addresses, code, rows of a table), for no text fragment
    /// matches across it.
    pub text: String,
    /// The same as Markdown.
    pub markdown: String,
}

/// What a [`Paragraph`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A heading of level 1 to 6.
    Heading(u8),
    /// Running text.
    Prose,
    /// An item of a list, ordered or not, at any depth.
    Item,
    /// A term or a definition of a definition list.
    Definition,
    /// Quoted text.
    Quote,
    /// A caption of a figure or a table.
    Caption,
    /// Preformatted text.
    Code,
    /// A table, whole.
    Table,
}
