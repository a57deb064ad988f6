//! Splits a document into sections at its headings.
//!
//! Example: the section "Backup › SQL Dump › Restoring the Dump" of a manual has three headings. A
//! search ranks sections, so each section should be about one subject and have enough text. Long
//! sections are therefore split between paragraphs. Neighbouring tiny sections under the same
//! parent heading are joined.

use super::{Document, Kind, Paragraph};

/// A section with more bytes than this is split.
const LONG_BYTES: usize = 4_000;

/// The maximum length of a heading, in bytes. A page may mark any text as a heading, and each
/// section below a heading contains a copy of the heading.
const HEADING_BYTES: usize = 200;

/// A section of fewer bytes than this may be joined with its neighbour.
const TINY_BYTES: usize = 200;

/// Consecutive paragraphs and the headings above them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section<'a> {
    /// The headings, from the outermost to the innermost.
    pub headings: Vec<&'a str>,
    /// The paragraphs in reading order. They contain headings only if tiny sections were joined.
    pub paragraphs: &'a [Paragraph],
}

impl Section<'_> {
    /// Returns the text of all paragraphs.
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self.paragraphs.iter().map(|p| p.text.as_str()).collect();
        texts.join("\n")
    }

    fn bytes(&self) -> usize {
        self.paragraphs.iter().map(|p| p.text.len()).sum()
    }
}

impl Document {
    /// Returns the sections in reading order. A heading without text directly below it forms no
    /// section. It counts only as a heading of the deeper sections below it.
    pub fn sections(&self) -> Vec<Section<'_>> {
        let mut above: Vec<(u8, &str)> = Vec::new();
        let mut sections: Vec<Section<'_>> = Vec::new();
        let mut rest = self.paragraphs.as_slice();
        while let Some((first, after)) = rest.split_first() {
            if let Kind::Heading(level) = first.kind {
                above.retain(|(other, _)| *other < level);
                above.push((level, beginning(&first.text)));
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

/// Returns a heading, cut to [`HEADING_BYTES`].
pub(super) fn beginning(heading: &str) -> &str {
    let end = heading.floor_char_boundary(HEADING_BYTES);
    heading.get(..end).unwrap_or(heading)
}

/// Splits paragraphs into parts of about equal length, at most about [`LONG_BYTES`]. A single
/// paragraph is never split.
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

/// Joins neighbouring sections if one of them is tiny, both are shorter than a quarter of
/// [`LONG_BYTES`], and at most their last headings differ.
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

/// Returns the number of headings that two neighbouring sections share. Returns `None` if the
/// sections differ in more than their last headings.
fn common(one: &[&str], other: &[&str]) -> Option<usize> {
    let shared = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let deepest = one.len().max(other.len());
    (shared + 1 >= deepest && shared > 0).then_some(shared)
}

/// Returns all paragraphs from the first of `one` to the last of `other`.
fn span<'a>(
    all: &'a [Paragraph],
    one: &[Paragraph],
    other: &[Paragraph],
) -> Option<&'a [Paragraph]> {
    let start = usize::try_from(one.first()?.number).ok()?.checked_sub(1)?;
    let end = usize::try_from(other.last()?.number).ok()?;
    all.get(start..end)
}

#[cfg(test)]
mod tests {
    use super::super::{Document, Kind, Paragraph};

    /// Builds a document: `# a` is a heading of level 1, and any line without `#` is a paragraph.
    fn document(lines: &[&str]) -> Document {
        let paragraph = |(number, line): (u32, &&str)| {
            let text = line.trim_start_matches('#').trim();
            let level = u8::try_from(line.len() - line.trim_start_matches('#').len()).unwrap();
            Paragraph {
                number,
                kind: if level > 0 {
                    Kind::Heading(level)
                } else {
                    Kind::Prose
                },
                text: text.to_owned(),
                markdown: text.to_owned(),
            }
        };
        Document {
            paragraphs: (1..).zip(lines).map(paragraph).collect(),
            ..Document::default()
        }
    }

    /// Returns the headings of each section, with the numbers of its first and last paragraph.
    fn cut(lines: &[&str]) -> Vec<(String, u32, u32)> {
        let document = document(lines);
        let sections = document.sections().into_iter();
        let told = sections.map(|section| {
            let number = |paragraph: Option<&Paragraph>| paragraph.unwrap().number;
            let (first, last) = (section.paragraphs.first(), section.paragraphs.last());
            (section.headings.join(" > "), number(first), number(last))
        });
        told.collect()
    }

    #[test]
    fn a_section_stands_under_all_its_headings() {
        let text = "w".repeat(300);
        let told = |sections: &[(&str, u32, u32)]| -> Vec<(String, u32, u32)> {
            let owned =
                |(headings, from, to): &(&str, u32, u32)| ((*headings).to_owned(), *from, *to);
            sections.iter().map(owned).collect()
        };
        let t = text.as_str();
        for (lines, expected) in [
            (&[][..], &[][..]),
            (&["# A"], &[]),
            (&[t, t], &[("", 1, 2)]),
            (
                &["# A", t, "### B", t, t, "## C", t, "# D", t],
                &[("A", 2, 2), ("A > B", 4, 5), ("A > C", 7, 7), ("D", 9, 9)],
            ),
            (&["# A", "## B", t], &[("A > B", 3, 3)]),
            // Two tiny sections under the same heading are joined. Tiny sections under different
            // headings are not joined.
            (
                &["# A", "## B", "w", "## C", "w", "# D", "w"],
                &[("A", 3, 5), ("D", 7, 7)],
            ),
            (&["# A", "w", "## B", t], &[("A", 2, 4)]),
            (&["# A", "w", "# B", "w"], &[("A", 2, 2), ("B", 4, 4)]),
        ] {
            assert_eq!(cut(lines), told(expected), "{lines:?}");
        }
    }

    #[test]
    fn a_section_without_an_end_is_cut_between_paragraphs() {
        let lines = vec!["wwwwwwwww "; 1_000];
        let mut all = vec!["# A"];
        all.extend(&lines);
        let sections = cut(&all);
        assert_eq!(sections.len(), 3);
        assert_eq!((sections[0].1, sections[2].2), (2, 1_001));
        assert!(sections.windows(2).all(|pair| pair[0].2 + 1 == pair[1].1));
        let long = "w".repeat(50_000);
        assert_eq!(cut(&["# A", &long, "x"]).len(), 2);
    }
}
