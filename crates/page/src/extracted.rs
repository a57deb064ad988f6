//! The paragraphs that were read from a part of a page, with the length of their prose and links.
//!
//! Example: the paragraphs of the article are compared with those of the main column. The
//! difference shows how much text the article lacks. [`super::extract`] does the comparison.

use super::{Kind, Paragraph};

/// The paragraphs of a part of a page, with the amount of linked text in each.
#[derive(Debug, Default)]
pub(super) struct ExtractedBlocks {
    /// The paragraphs, numbered from 1.
    pub(super) paragraphs: Vec<Paragraph>,
    /// The length of linked text in each paragraph, in bytes.
    linked_bytes: Vec<usize>,
}

impl ExtractedBlocks {
    /// Adds a paragraph; `linked` is the length of its linked text, in bytes.
    pub(super) fn push(&mut self, kind: Kind, text: String, markdown: String, linked: usize) {
        let number = u32::try_from(self.paragraphs.len() + 1).unwrap_or(u32::MAX);
        self.paragraphs.push(Paragraph {
            number,
            kind,
            text,
            markdown,
        });
        self.linked_bytes.push(linked);
    }

    /// Removes a heading that repeats the page's `title`: the first one of level 1 or 2 among the
    /// first eight paragraphs. A heading that is the only paragraph stays.
    pub(super) fn drop_heading(&mut self, title: &str) {
        let repeats = |p: &Paragraph| matches!(p.kind, Kind::Heading(1 | 2)) && p.text == title;
        let Some(at) = self.paragraphs.iter().take(8).position(repeats) else {
            return;
        };
        if self.paragraphs.len() == 1 {
            return;
        }
        self.paragraphs.remove(at);
        self.linked_bytes.remove(at);
        for (number, paragraph) in (1..).zip(&mut self.paragraphs) {
            paragraph.number = number;
        }
    }

    /// Returns the length of all text, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.paragraphs.iter().map(|p| p.text.len()).sum()
    }

    /// Returns the length of all linked text, in bytes.
    pub(super) fn linked_bytes(&self) -> usize {
        self.linked_bytes.iter().sum()
    }

    /// Returns the length of the prose, in bytes: of all paragraphs that are neither headings nor
    /// at least half links.
    pub(super) fn prose_bytes(&self) -> usize {
        let prose = self
            .paragraphs
            .iter()
            .zip(&self.linked_bytes)
            .filter(|(p, linked)| {
                !matches!(p.kind, Kind::Heading(_)) && *linked * 2 < p.text.len()
            });
        prose.map(|(p, _)| p.text.len()).sum()
    }
}
