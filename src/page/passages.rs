//! Passages: verbatim quotes of a page, with an id to cite and a link's directive.
//!
//! Driving example: a tool returns the second sentence of ¶ 14 as `p14.2`; the answer
//! cites that id and the panel turns it into a link. Which passages matter is the
//! tools' business.

use serde::{Deserialize, Serialize};
use unicode_segmentation::UnicodeSegmentation;

use super::{Document, fragment};

/// A quote that really stands on the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// `p14` for the whole of ¶ 14, `p14.2` for what begins in its second sentence.
    pub id: String,
    /// The number of its paragraph.
    pub paragraph: u32,
    /// The quote, verbatim.
    pub text: String,
    /// The text directive that highlights it (`text=…`), or empty.
    pub fragment: String,
}

impl Passage {
    /// The whole of a paragraph; `None` when the document has no such number.
    pub fn paragraph(document: &Document, number: u32) -> Option<Self> {
        let paragraph = document.paragraphs.iter().find(|p| p.number == number)?;
        Self::quote(document, number, &paragraph.text)
    }

    /// A quote from a paragraph; `None` when it does not stand there verbatim.
    pub fn quote(document: &Document, number: u32, quote: &str) -> Option<Self> {
        let paragraph = document.paragraphs.iter().find(|p| p.number == number)?;
        let quote = quote.trim();
        let at = paragraph.text.find(quote).filter(|_| !quote.is_empty())?;
        let sentence = paragraph
            .text
            .split_sentence_bound_indices()
            .take_while(|(start, _)| *start <= at)
            .count();
        let id = if quote == paragraph.text.trim() {
            format!("p{number}")
        } else {
            format!("p{number}.{sentence}")
        };
        let fragment = fragment::text_fragment(document, number, quote).unwrap_or_default();
        Some(Self {
            id,
            paragraph: number,
            text: quote.to_owned(),
            fragment,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::read;

    #[test]
    fn ids_tell_the_paragraph_and_the_sentence() {
        let document = read(
            "<p>One.</p><p>First here. Second there! Third.</p><p>第一句。第二句。</p>",
            "https://a.example/",
        )
        .unwrap();
        for (number, quote, id) in [
            (1, "One.", "p1"),
            (2, "First here.", "p2.1"),
            (2, "Second there!", "p2.2"),
            (2, "there! Third.", "p2.2"),
            (3, "第二句。", "p3.2"),
        ] {
            let passage = Passage::quote(&document, number, quote).unwrap();
            assert_eq!((passage.id.as_str(), passage.text.as_str()), (id, quote));
            assert!(passage.fragment.starts_with("text="));
        }
        assert_eq!(Passage::quote(&document, 2, "Invented."), None);
        assert_eq!(Passage::paragraph(&document, 2).unwrap().id, "p2");
    }
}
