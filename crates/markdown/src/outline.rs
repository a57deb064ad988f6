//! The end of a text's outline: its last words or code, and its last table.

use super::parse::parser;
use pulldown_cmark::{Event, Tag, TagEnd};
use std::ops::Range;

/// The places of what comes last in a text, in bytes.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// The last run of words or code.
    pub(super) leaf: Option<Leaf>,
    /// The last table, at any depth.
    pub(super) table: Option<Range<usize>>,
}

/// The kind and the place of the last words of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Leaf {
    /// Words that may go on over lines.
    Words(Range<usize>),
    /// Words that end with their line: a heading's, a cell's.
    Line(Range<usize>),
    /// Code or raw HTML, in which no mark means anything.
    Raw(Range<usize>),
}

/// The place of the parser's events.
#[derive(Default, Clone, Copy)]
enum Within {
    /// Between blocks.
    #[default]
    Flow,
    Words,
    /// In a block of one line, before and in its words.
    Line,
    LineWords,
    Raw,
}

impl Outline {
    pub(super) fn of(source: &str) -> Self {
        let mut outline = Self::default();
        let mut within = Within::default();
        for (event, range) in parser(source).into_offset_iter() {
            within = match event {
                Event::Start(tag) => outline.enter(&tag, range, within),
                Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Link | TagEnd::Image) => {
                    within
                }
                Event::End(_) | Event::Rule => Within::Flow,
                _ => outline.words(range, within),
            };
        }
        outline
    }

    fn enter(&mut self, tag: &Tag<'_>, range: Range<usize>, within: Within) -> Within {
        match tag {
            Tag::CodeBlock(_) | Tag::HtmlBlock => {
                self.leaf = Some(Leaf::Raw(range));
                Within::Raw
            }
            Tag::Heading { .. } | Tag::TableCell => Within::Line,
            Tag::Emphasis | Tag::Strong | Tag::Link { .. } | Tag::Image { .. } => {
                self.words(range, within)
            }
            Tag::Table(_) => {
                self.table = Some(range);
                Within::Flow
            }
            _ => Within::Flow,
        }
    }

    /// Begins a leaf with these words, or goes on with the last one.
    fn words(&mut self, range: Range<usize>, within: Within) -> Within {
        match (within, &mut self.leaf) {
            (Within::Raw, _) => Within::Raw,
            (Within::Words, Some(Leaf::Words(leaf)))
            | (Within::LineWords, Some(Leaf::Line(leaf))) => {
                leaf.end = leaf.end.max(range.end);
                within
            }
            (Within::Line, leaf) => {
                *leaf = Some(Leaf::Line(range));
                Within::LineWords
            }
            (_, leaf) => {
                *leaf = Some(Leaf::Words(range));
                Within::Words
            }
        }
    }
}
