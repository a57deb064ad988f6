//! A document as the sections that its headings make.
//!
//! Driving example: a manual's "Backup › SQL Dump › Restoring the Dump" is found as one
//! section under its three headings. Sections without an end are cut between
//! paragraphs, and neighbours of a line or two under one heading stand together: what is
//! ranked should be about one thing and say something of it.

use super::{Document, Kind, Paragraph};

/// A longer section is cut, in bytes of its text.
const LONG_BYTES: usize = 4_000;

/// Shorter sections are joined with the next one beside them, in bytes.
const TINY_BYTES: usize = 200;

/// Paragraphs that stand together, and the headings they stand under.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section<'a> {
    /// From the outermost to the innermost.
    pub headings: Vec<&'a str>,
    /// In reading order. Headings are among them only where tiny sections were joined.
    pub paragraphs: &'a [Paragraph],
}

impl Section<'_> {
    /// All its words.
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self.paragraphs.iter().map(|p| p.text.as_str()).collect();
        texts.join("\n")
    }

    fn bytes(&self) -> usize {
        self.paragraphs.iter().map(|p| p.text.len()).sum()
    }
}

impl Document {
    /// The sections, in reading order. A heading without text of its own is only a
    /// heading of what stands below it.
    pub fn sections(&self) -> Vec<Section<'_>> {
        let mut above: Vec<(u8, &str)> = Vec::new();
        let mut sections: Vec<Section<'_>> = Vec::new();
        let mut rest = self.paragraphs.as_slice();
        while let Some((first, after)) = rest.split_first() {
            if let Kind::Heading(level) = first.kind {
                above.retain(|(other, _)| *other < level);
                above.push((level, &first.text));
                rest = after;
                continue;
            }
            let is_heading = |paragraph: &Paragraph| matches!(paragraph.kind, Kind::Heading(_));
            let end = rest.iter().position(is_heading).unwrap_or(rest.len());
            let (own, later) = rest.split_at_checked(end).unwrap_or((rest, &[]));
            let headings: Vec<&str> = above.iter().map(|(_, text)| *text).collect();
            for paragraphs in cut(own) {
                let headings = headings.clone();
                sections.push(Section {
                    headings,
                    paragraphs,
                });
            }
            rest = later;
        }
        joined(sections, &self.paragraphs)
    }
}

/// Pieces of about the same length, none much longer than [`LONG_BYTES`].
fn cut(paragraphs: &[Paragraph]) -> Vec<&[Paragraph]> {
    let bytes: usize = paragraphs.iter().map(|p| p.text.len()).sum();
    let target = bytes / bytes.div_ceil(LONG_BYTES).max(1);
    let mut pieces = Vec::new();
    let mut rest = paragraphs;
    while !rest.is_empty() {
        let mut sum = 0;
        let full = rest.iter().position(|paragraph| {
            sum += paragraph.text.len();
            sum >= target
        });
        let (piece, after) = rest
            .split_at_checked(full.map_or(rest.len(), |at| at + 1))
            .unwrap_or((rest, &[]));
        pieces.push(piece);
        rest = after;
    }
    pieces
}

/// Tiny sections joined with the one behind, where both stand directly under the same headings
/// but their own.
fn joined<'a>(sections: Vec<Section<'a>>, all: &'a [Paragraph]) -> Vec<Section<'a>> {
    let mut joined: Vec<Section<'a>> = Vec::new();
    for section in sections {
        if let Some(last) = joined.last_mut()
            && last.bytes().max(section.bytes()) < LONG_BYTES / 4
            && last.bytes().min(section.bytes()) < TINY_BYTES
            && let Some(headings) = common(&last.headings, &section.headings)
            && let Some(paragraphs) = span(all, last.paragraphs, section.paragraphs)
        {
            last.headings.truncate(headings);
            last.paragraphs = paragraphs;
        } else {
            joined.push(section);
        }
    }
    joined
}

/// How many headings two neighbours share, if they differ in nothing but their own last one.
fn common(one: &[&str], other: &[&str]) -> Option<usize> {
    let shared = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let deepest = one.len().max(other.len());
    (shared + 1 >= deepest && shared > 0).then_some(shared)
}

/// Everything from the first paragraph of `one` to the last of `other`.
fn span<'a>(
    all: &'a [Paragraph],
    one: &[Paragraph],
    other: &[Paragraph],
) -> Option<&'a [Paragraph]> {
    let start = usize::try_from(one.first()?.number).ok()?.checked_sub(1)?;
    let end = usize::try_from(other.last()?.number).ok()?;
    all.get(start..end)
}
