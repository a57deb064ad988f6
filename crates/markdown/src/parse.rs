//! Parses Markdown to blocks.
//!
//! Example: an answer is complete. The worker parses it once, and every surface shows the
//! same blocks. (While the answer grows, `growing` decides which blocks are parsed again.) The
//! parser keeps open containers in a list of its own instead of recursing, so that no input can
//! overflow the call stack. It creates no markup and loads nothing: raw HTML becomes text, and an
//! image becomes its description.

use super::address::safe_target;
use super::neutral::clean;
use super::plain::words;
use super::{Block, Inline, LinkOrigin, cite};
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::ops::Range;

/// The maximum depth of nested containers. Deeper containers are merged into the last one. The
/// limit is deep enough for any answer. It is low enough for code that reads the tree recursively:
/// `serde_json` stops at 128 levels, and a block takes three.
const MAX_DEPTH: usize = 24;

/// Parses a Markdown text (`CommonMark` with tables).
pub fn parse(markdown: &str) -> Vec<Block> {
    parse_clean(&clean(markdown))
}

/// Parses a text from which [`clean`] has already removed deceptive characters.
pub(super) fn parse_clean(markdown: &str) -> Vec<Block> {
    let mut tree = Tree::default();
    for (event, range) in parser(markdown).into_offset_iter() {
        tree.take(event, range, markdown);
    }
    tree.finish()
}

/// Returns the Markdown parser, with the only options that Gloss uses.
pub(super) fn parser(markdown: &str) -> Parser<'_> {
    Parser::new_ext(markdown, Options::ENABLE_TABLES)
}

/// An open container with its content so far.
struct Open {
    kind: Kind,
    blocks: Vec<Block>,
    inlines: Vec<Inline>,
}

enum Kind {
    Root,
    Paragraph,
    Heading(u8),
    Quote,
    List {
        start: Option<u64>,
        items: Vec<Vec<Block>>,
    },
    Item,
    Code(String),
    Table(Vec<Vec<Vec<Inline>>>),
    Row(Vec<Vec<Inline>>),
    Cell,
    Strong,
    Emphasis,
    Link(String),
    /// The contents of this container move to its parent unchanged.
    Transparent,
}

/// Text that is unescaped and contiguous in the source. It is searched for citations.
#[derive(Default)]
struct Run {
    text: String,
    end: usize,
}

struct Tree {
    open: Vec<Open>,
    run: Run,
    /// One entry per open tag: true if no container was opened for the tag, for example because it
    /// is deeper than [`MAX_DEPTH`].
    skipped: Vec<bool>,
}

impl Default for Tree {
    fn default() -> Self {
        Self {
            open: vec![Open::new(Kind::Root)],
            run: Run::default(),
            skipped: Vec::new(),
        }
    }
}

impl Open {
    fn new(kind: Kind) -> Self {
        Self {
            kind,
            blocks: Vec::new(),
            inlines: Vec::new(),
        }
    }

    /// Makes a paragraph of text that is directly in a container, such as in the item of a tight
    /// list.
    fn settle(&mut self) {
        if !self.inlines.is_empty() {
            let inlines = std::mem::take(&mut self.inlines);
            self.blocks.push(Block::Paragraph { inlines });
        }
    }

    fn into_blocks(mut self) -> Vec<Block> {
        self.settle();
        self.blocks
    }
}

impl Kind {
    fn holds_blocks(&self) -> bool {
        matches!(self, Self::Root | Self::Quote | Self::Item)
    }
}

impl Tree {
    fn take(&mut self, event: Event<'_>, range: Range<usize>, source: &str) {
        if let Event::Text(text) = event {
            self.text(&text, range, source);
            return;
        }
        self.flush();
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Code(code) => self.push(Inline::Code {
                text: code.into_string(),
            }),
            Event::SoftBreak => self.words(" "),
            Event::HardBreak => self.push(Inline::Break),
            Event::Rule => self.block(Block::Rule),
            Event::Text(text)
            | Event::Html(text)
            | Event::InlineHtml(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text)
            | Event::FootnoteReference(text) => self.words(&text),
            Event::TaskListMarker(done) => self.words(if done { "[x] " } else { "[ ] " }),
        }
    }

    /// Adds text. Only text that is unescaped in the source may contain a citation. An escape or an
    /// entity ends the run, so that an escaped `[[p1]]` stays plain text.
    fn text(&mut self, text: &str, range: Range<usize>, source: &str) {
        let literal = source.get(range.clone()) == Some(text);
        if self.run.end != range.start || !literal {
            self.flush();
        }
        if literal && !self.in_code() {
            self.run.text.push_str(text);
            self.run.end = range.end;
        } else {
            // An entity's character is not in the source, so it is cleaned here.
            self.words(&clean(text));
        }
    }

    fn in_code(&self) -> bool {
        self.open
            .last()
            .is_some_and(|open| matches!(open.kind, Kind::Code(_)))
    }

    fn flush(&mut self) {
        let run = std::mem::take(&mut self.run);
        for inline in cite::split(&run.text) {
            self.push(inline);
        }
    }

    fn words(&mut self, text: &str) {
        self.push(Inline::Text {
            text: text.to_owned(),
        });
    }

    fn push(&mut self, inline: Inline) {
        let Some(open) = self.open.last_mut() else {
            return;
        };
        if let Inline::Text { text } = &inline {
            if text.is_empty() {
                return;
            }
            if let Some(Inline::Text { text: before }) = open.inlines.last_mut() {
                before.push_str(text);
                return;
            }
        }
        open.inlines.push(inline);
    }

    fn block(&mut self, block: Block) {
        if let Some(open) = self
            .open
            .iter_mut()
            .rev()
            .find(|open| open.kind.holds_blocks())
        {
            open.settle();
            open.blocks.push(block);
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        let kind = kind_of(tag);
        let skip = match kind {
            // A row, a cell or an item is only valid inside its table or list.
            Kind::Row(_) | Kind::Cell => self.skipped.last() == Some(&true),
            Kind::Item => !matches!(
                self.open.last().map(|open| &open.kind),
                Some(Kind::List { .. })
            ),
            Kind::Code(_) => false,
            _ => self.open.len() > MAX_DEPTH,
        };
        self.skipped.push(skip);
        if skip {
            self.settle_flow();
            return;
        }
        if !is_inline(&kind) {
            self.settle_flow();
        }
        self.open.push(Open::new(kind));
    }

    /// Ends a paragraph of text that is directly in a container, before a new block begins.
    fn settle_flow(&mut self) {
        if let Some(open) = self.open.last_mut()
            && open.kind.holds_blocks()
        {
            open.settle();
        }
    }

    fn end(&mut self, _tag: TagEnd) {
        if self.skipped.pop() == Some(true) {
            self.settle_flow();
            return;
        }
        if self.open.len() > 1
            && let Some(open) = self.open.pop()
        {
            self.close(open);
        }
    }

    fn close(&mut self, mut open: Open) {
        match std::mem::replace(&mut open.kind, Kind::Transparent) {
            Kind::Root | Kind::Transparent => self.spill(open),
            Kind::Paragraph => self.block(Block::Paragraph {
                inlines: trimmed(open.inlines),
            }),
            Kind::Heading(level) => self.block(Block::Heading {
                level,
                inlines: open.inlines,
            }),
            Kind::Quote => self.block(Block::Quote {
                blocks: open.into_blocks(),
            }),
            Kind::List { start, items } => self.block(Block::List { start, items }),
            Kind::Code(language) => self.block(Block::Code {
                language,
                text: words(&open.inlines),
            }),
            Kind::Table(rows) => self.block(Block::Table { rows }),
            part @ (Kind::Item | Kind::Row(_) | Kind::Cell) => self.part(part, open),
            Kind::Strong => self.push(Inline::Strong {
                inlines: open.inlines,
            }),
            Kind::Emphasis => self.push(Inline::Emphasis {
                inlines: open.inlines,
            }),
            Kind::Link(url) => self.push(Inline::Link {
                url,
                origin: LinkOrigin::Model,
                inlines: open.inlines,
            }),
        }
    }

    fn spill(&mut self, open: Open) {
        for block in open.blocks {
            self.block(block);
        }
        for inline in open.inlines {
            self.push(inline);
        }
    }

    /// Adds a part to the list or table that it belongs to.
    fn part(&mut self, kind: Kind, open: Open) {
        let parent = self.open.last_mut().map(|open| &mut open.kind);
        match (parent, kind) {
            (Some(Kind::List { items, .. }), Kind::Item) => items.push(open.into_blocks()),
            (Some(Kind::Table(rows)), Kind::Row(cells)) => rows.push(cells),
            (Some(Kind::Row(cells)), Kind::Cell) => cells.push(open.inlines),
            _ => {}
        }
    }

    fn finish(mut self) -> Vec<Block> {
        self.flush();
        while self.open.len() > 1 {
            if let Some(open) = self.open.pop() {
                self.close(open);
            }
        }
        self.open.pop().map(Open::into_blocks).unwrap_or_default()
    }
}

fn kind_of(tag: Tag<'_>) -> Kind {
    match tag {
        Tag::Paragraph | Tag::HtmlBlock => Kind::Paragraph,
        Tag::Heading { level, .. } => Kind::Heading(level as u8),
        Tag::BlockQuote(_) => Kind::Quote,
        Tag::CodeBlock(CodeBlockKind::Fenced(info)) => {
            Kind::Code(clean(info.split_whitespace().next().unwrap_or("")))
        }
        Tag::CodeBlock(CodeBlockKind::Indented) => Kind::Code(String::new()),
        Tag::List(start) => Kind::List {
            start,
            items: Vec::new(),
        },
        Tag::Item => Kind::Item,
        Tag::Table(_) => Kind::Table(Vec::new()),
        Tag::TableHead | Tag::TableRow => Kind::Row(Vec::new()),
        Tag::TableCell => Kind::Cell,
        Tag::Strong => Kind::Strong,
        Tag::Emphasis => Kind::Emphasis,
        Tag::Link { dest_url, .. } => {
            safe_target(&clean(&dest_url)).map_or(Kind::Transparent, Kind::Link)
        }
        // Any other tag becomes its text: an image its description, a `javascript:` link its label.
        _ => Kind::Transparent,
    }
}

fn is_inline(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Strong | Kind::Emphasis | Kind::Link(_) | Kind::Transparent
    )
}

/// Removes the line break at the end of a block of raw HTML.
fn trimmed(mut inlines: Vec<Inline>) -> Vec<Inline> {
    if let Some(Inline::Text { text }) = inlines.last_mut() {
        text.truncate(text.trim_end().len());
    }
    inlines
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
