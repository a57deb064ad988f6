//! Where the blocks of a text stand in its source: what growing needs to know
//! beyond the blocks themselves.

use super::parse::parser;
use pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};
use std::ops::Range;

/// The places of a text's blocks, in bytes.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// The outermost blocks.
    pub(super) blocks: Vec<Span>,
    /// The last run of words or code.
    pub(super) leaf: Option<Leaf>,
    /// The last table, at any depth.
    pub(super) table: Option<Range<usize>>,
    /// Link reference definitions: label and destination, in their order.
    pub(super) definitions: Vec<(String, String)>,
}

/// An outermost block.
#[derive(Debug)]
pub(super) struct Span {
    pub(super) kind: SpanKind,
    pub(super) range: Range<usize>,
    /// Where its items or rows begin.
    pub(super) units: Vec<usize>,
}

/// Which of the blocks that grow by units it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SpanKind {
    /// By items.
    List,
    /// By rows.
    Table,
    /// By lines.
    Fence,
    /// As a whole.
    Other,
}

/// What the last words of a text are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Leaf {
    /// Words that may go on over lines.
    Words(Range<usize>),
    /// Words that end with their line: a heading's, a cell's.
    Line(Range<usize>),
    /// Code or raw HTML, in which no mark means anything.
    Raw(Range<usize>),
}

impl Outline {
    pub(super) fn of(source: &str) -> Self {
        let mut outline = Self::default();
        let parser = parser(source);
        let mut definitions: Vec<_> = parser
            .reference_definitions()
            .iter()
            .map(|(label, one)| (one.span.start, label.to_owned(), one.dest.to_string()))
            .collect();
        definitions.sort();
        outline.definitions = definitions
            .into_iter()
            .map(|(_, label, url)| (label, url))
            .collect();
        let mut open = Open::default();
        for (event, range) in parser.into_offset_iter() {
            outline.take(&event, range, &mut open);
        }
        outline
    }

    fn take(&mut self, event: &Event<'_>, range: Range<usize>, open: &mut Open) {
        match event {
            Event::Start(tag) => {
                if open.depth == 0 {
                    self.blocks.push(Span {
                        kind: kind_of(tag),
                        range: range.clone(),
                        units: Vec::new(),
                    });
                }
                let unit = matches!(tag, Tag::Item | Tag::TableHead | Tag::TableRow);
                if unit
                    && open.depth == 1
                    && let Some(block) = self.blocks.last_mut()
                {
                    block.units.push(range.start);
                }
                if matches!(tag, Tag::Table(_)) {
                    self.table = Some(range.clone());
                }
                open.depth += 1;
                self.enter(tag, range, open);
            }
            Event::End(end) => {
                open.depth = open.depth.saturating_sub(1);
                if !is_inline(*end) {
                    open.within = Within::Flow;
                }
            }
            Event::Rule => {
                if open.depth == 0 {
                    self.blocks.push(Span {
                        kind: SpanKind::Other,
                        range,
                        units: Vec::new(),
                    });
                }
                open.within = Within::Flow;
            }
            _ => self.words(range, open),
        }
    }

    fn enter(&mut self, tag: &Tag<'_>, range: Range<usize>, open: &mut Open) {
        match tag {
            Tag::CodeBlock(_) | Tag::HtmlBlock => {
                self.leaf = Some(Leaf::Raw(range));
                open.within = Within::Raw;
            }
            Tag::Heading { .. } | Tag::TableCell => open.within = Within::Line,
            Tag::Emphasis | Tag::Strong | Tag::Link { .. } | Tag::Image { .. } => {
                self.words(range, open);
            }
            _ => open.within = Within::Flow,
        }
    }

    /// Words begin a leaf, or go on in it.
    fn words(&mut self, range: Range<usize>, open: &mut Open) {
        match (open.within, &mut self.leaf) {
            (Within::Raw, _) => {}
            (Within::Words, Some(Leaf::Words(leaf)))
            | (Within::LineWords, Some(Leaf::Line(leaf))) => leaf.end = leaf.end.max(range.end),
            (Within::Line, leaf) => {
                *leaf = Some(Leaf::Line(range));
                open.within = Within::LineWords;
            }
            (_, leaf) => {
                *leaf = Some(Leaf::Words(range));
                open.within = Within::Words;
            }
        }
    }
}

/// What is open while the events go by.
#[derive(Default)]
struct Open {
    depth: usize,
    within: Within,
}

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

fn kind_of(tag: &Tag<'_>) -> SpanKind {
    match tag {
        Tag::List(_) => SpanKind::List,
        Tag::Table(_) => SpanKind::Table,
        Tag::CodeBlock(CodeBlockKind::Fenced(_)) => SpanKind::Fence,
        _ => SpanKind::Other,
    }
}

fn is_inline(end: TagEnd) -> bool {
    matches!(
        end,
        TagEnd::Emphasis | TagEnd::Strong | TagEnd::Link | TagEnd::Image
    )
}
