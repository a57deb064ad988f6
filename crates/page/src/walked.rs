//! What a walk over a page wrote, and how much of it is prose and how much links.
//!
//! Driving example: of two walks, one over the article and one over the column, the
//! sums tell what the article leaves out. What follows from them is
//! [`super::extract`]'s judgement.

use super::{Kind, Paragraph};

/// The paragraphs of a walk, and how much of them is links.
#[derive(Debug, Default)]
pub(super) struct Walked {
    /// The paragraphs, numbered from 1.
    pub(super) paragraphs: Vec<Paragraph>,
    /// For each paragraph, how many bytes of its text stand in links.
    linked: Vec<usize>,
}

impl Walked {
    /// Adds a paragraph, `linked` bytes of whose text stand in links.
    pub(super) fn push(&mut self, kind: Kind, text: String, markdown: String, linked: usize) {
        let number = u32::try_from(self.paragraphs.len() + 1).unwrap_or(u32::MAX);
        self.paragraphs.push(Paragraph {
            number,
            kind,
            text,
            markdown,
        });
        self.linked.push(linked);
    }

    /// Drops the heading that only repeats the page's `title`.
    pub(super) fn drop_heading(&mut self, title: &str) {
        let repeats = |p: &Paragraph| matches!(p.kind, Kind::Heading(1 | 2)) && p.text == title;
        let Some(at) = self.paragraphs.iter().take(8).position(repeats) else {
            return;
        };
        if self.paragraphs.len() == 1 {
            return;
        }
        self.paragraphs.remove(at);
        self.linked.remove(at);
        for (number, paragraph) in (1..).zip(&mut self.paragraphs) {
            paragraph.number = number;
        }
    }

    /// How much text there is.
    pub(super) fn bytes(&self) -> usize {
        self.paragraphs.iter().map(|p| p.text.len()).sum()
    }

    /// How much of it stands in links.
    pub(super) fn linked_bytes(&self) -> usize {
        self.linked.iter().sum()
    }

    /// How much of it stands in paragraphs that are neither headings nor mostly links.
    pub(super) fn prose_bytes(&self) -> usize {
        let prose = self
            .paragraphs
            .iter()
            .zip(&self.linked)
            .filter(|(p, linked)| {
                !matches!(p.kind, Kind::Heading(_)) && *linked * 2 < p.text.len()
            });
        prose.map(|(p, _)| p.text.len()).sum()
    }
}
