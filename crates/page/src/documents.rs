//! Converts PDF, DOCX and feeds to the [`Document`] of a page.
//!
//! Example: page 12 of a PDF begins with paragraph 140. The link to a passage of page 12 is
//! `manual.pdf#page=12`, and browsers open the PDF at this page.

use super::{Document, Kind, Paragraph, ReadError, links, without_place};
use gloss_documents as documents;
use gloss_markdown::escape;

/// The text that marks the point where a long document was cut.
const CUT: &str = "[…]";

impl Document {
    /// Converts a document. `url` is the document's address; relative links are resolved against
    /// `url`.
    pub fn from_document(read: documents::Document, url: &str) -> Self {
        let mut pages: Vec<u32> = Vec::new();
        let mut paragraphs = Vec::with_capacity(read.blocks.len());
        for (number, block) in (1..).zip(read.blocks) {
            let page = usize::try_from(block.page).unwrap_or_default();
            pages.resize(pages.len().max(page), number);
            paragraphs.push(paragraph(number, block, url));
        }
        if read.is_cut {
            let number = paragraphs.last().map_or(0, |last: &Paragraph| last.number) + 1;
            let (text, markdown) = (CUT.to_owned(), escape(CUT));
            let kind = Kind::Prose;
            paragraphs.push(Paragraph {
                number,
                kind,
                text,
                markdown,
            });
        }
        Self {
            title: read.title,
            language: read.language,
            paragraphs,
            pages,
            ..Self::default()
        }
    }

    /// Returns the page, from 1, on which a paragraph begins; `None` if the document is not divided
    /// into pages.
    pub fn page_of(&self, paragraph: u32) -> Option<usize> {
        let page = self.pages.partition_point(|first| *first <= paragraph);
        (page > 0).then_some(page)
    }
}

/// Returns the link to a page of the document at `url`.
pub fn link_to_page(url: &str, page: usize) -> String {
    format!("{}#page={page}", without_place(url))
}

fn paragraph(number: u32, block: documents::Block, url: &str) -> Paragraph {
    let link = block.link.and_then(|link| links::resolve(url, &link));
    let words = match link {
        Some(link) => format!("[{}]({link})", escape(&block.text)),
        None => escape(&block.text),
    };
    let (kind, markdown) = match block.kind {
        documents::Kind::Heading(level) => {
            let level = level.clamp(1, 6);
            let marks = "#".repeat(level.into());
            (Kind::Heading(level), format!("{marks} {words}"))
        }
        documents::Kind::Prose => (Kind::Prose, words),
        documents::Kind::Item => (Kind::Item, format!("- {words}")),
        documents::Kind::Table => (Kind::Table, table(&block.text)),
    };
    Paragraph {
        number,
        kind,
        text: block.text,
        markdown,
    }
}

/// Writes rows and cells as a Markdown table. The first row becomes the table's header.
fn table(text: &str) -> String {
    let rows: Vec<Vec<String>> = text
        .lines()
        .map(|row| row.split('\t').map(escape).collect())
        .collect();
    let width = rows.iter().map(Vec::len).max().unwrap_or_default();
    let mut lines = Vec::with_capacity(rows.len() + 1);
    for (place, mut row) in rows.into_iter().enumerate() {
        row.resize(width, String::new());
        lines.push(format!("| {} |", row.join(" | ")));
        if place == 0 {
            lines.push(format!("|{}", " --- |".repeat(width)));
        }
    }
    lines.join("\n")
}

impl From<documents::Fault> for ReadError {
    fn from(fault: documents::Fault) -> Self {
        Self::Document { fault }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use documents::{Block, Kind as Of};

    fn block(kind: Of, text: &str, page: u32) -> Block {
        Block {
            kind,
            text: text.to_owned(),
            link: None,
            page,
        }
    }

    #[test]
    fn a_paragraph_knows_its_page_and_an_empty_page_has_none() {
        let read = documents::Document {
            blocks: [1, 1, 2, 4, 4]
                .map(|page| block(Of::Prose, "Words.", page))
                .into(),
            ..documents::Document::default()
        };
        let document = Document::from_document(read, "https://a.example/m.pdf");
        assert_eq!(document.pages, [1, 3, 4, 4]);
        let pages: Vec<_> = (1..=5).map(|number| document.page_of(number)).collect();
        assert_eq!(pages, [1, 1, 2, 4, 4].map(Some));
        let link = link_to_page("https://a.example/m.pdf?v=1#page=3", 12);
        assert_eq!(link, "https://a.example/m.pdf?v=1#page=12");
        assert_eq!(Document::of_text("One.").page_of(1), None);
    }

    #[test]
    fn what_a_document_says_is_never_taken_for_markdown() {
        let mut headline = block(Of::Heading(2), "A [b](c) | *d*", 0);
        headline.link = Some("/story?id=1".to_owned());
        let mut scripted = block(Of::Heading(9), "x", 0);
        scripted.link = Some("javascript:alert(1)".to_owned());
        let read = documents::Document {
            blocks: vec![
                headline,
                scripted,
                block(Of::Item, "- one", 0),
                block(Of::Table, "Port\tDepth\nBrest | 2\t7\nOpen", 0),
            ],
            is_cut: true,
            ..documents::Document::default()
        };
        let document = Document::from_document(read, "https://a.example/feed");
        let markdown: Vec<&str> = document
            .paragraphs
            .iter()
            .map(|it| it.markdown.as_str())
            .collect();
        let expected = [
            r"## [A \[b\](c) \| \*d\*](https://a.example/story?id=1)",
            "###### x",
            r"- \- one",
            "| Port | Depth |\n| --- | --- |\n| Brest \\| 2 | 7 |\n| Open |  |",
            r"\[…\]",
        ];
        assert_eq!(markdown, expected);
        assert_eq!(document.paragraphs.last().map(|it| it.number), Some(5));
    }
}
