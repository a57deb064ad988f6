//! Walks a page's tree and writes its paragraphs.
//!
//! Example: `<ul><li>a<ol><li>b` becomes two items, `- a` and `  1. b`. This module finds the
//! beginning and the end of each block. [`super::extract`] chooses the part of the page whose
//! blocks are written, and [`InlineText`] collects inline content.

use dom_query::NodeRef;

use super::element::{Element, Order};
use super::extracted::ExtractedBlocks;
use super::run::{InlineText, Mark, Style};
use super::{Kind, code, links, tree};

pub(super) struct Walker<'a> {
    pub(super) base: &'a str,
    pub(super) links: Vec<String>,
    run: InlineText,
    pub(super) walked: ExtractedBlocks,
    /// The list marker with which the next paragraph begins, such as `- `.
    marker: String,
}

/// The block that contains the current node.
#[derive(Debug, Clone)]
pub(super) struct BlockPosition {
    pub(super) kind: Kind,
    /// The text with which every line of a paragraph in this block begins.
    pub(super) indent: String,
}

impl BlockPosition {
    /// Returns the same position with another kind of paragraph.
    pub(super) fn of(&self, kind: Kind) -> Self {
        Self {
            kind,
            ..self.clone()
        }
    }
}

impl<'a> Walker<'a> {
    /// Creates a walker that resolves relative links against `base`.
    pub(super) fn new(base: &'a str) -> Self {
        Self {
            base,
            links: Vec::new(),
            run: InlineText::default(),
            walked: ExtractedBlocks::default(),
            marker: String::new(),
        }
    }

    /// Writes the paragraphs of the subtree under `root`.
    pub(super) fn walk(mut self, root: &NodeRef) -> ExtractedBlocks {
        let place = BlockPosition {
            kind: Kind::Prose,
            indent: String::new(),
        };
        self.children(root, &place, Style::default());
        self.flush(&place);
        self.walked
    }

    pub(super) fn children(&mut self, node: &NodeRef, place: &BlockPosition, style: Style) {
        let mut next = node.first_child();
        while let Some(child) = next {
            next = child.next_sibling();
            if tree::with_text(&child, |text| self.run.push(text, style)).is_none() {
                self.element(&child, place, style);
            }
        }
    }

    fn element(&mut self, node: &NodeRef, place: &BlockPosition, style: Style) {
        match Element::named(&tree::name(node)) {
            Element::Ignored => {}
            Element::Break => self.run.push_break(),
            Element::Image => self.image(node, style),
            Element::Marked(mark) => self.children(node, place, style.with(mark)),
            Element::InlineCode => {
                let style = Style {
                    code: true,
                    ..style
                };
                self.children(node, place, style);
            }
            Element::Link => {
                let style = Style {
                    link: self.link(node).or(style.link),
                    ..style
                };
                self.children(node, place, style);
            }
            Element::Heading(level) => self.block(node, &place.of(Kind::Heading(level)), style),
            Element::Caption => self.block(node, &place.of(Kind::Caption), style),
            Element::Term => self.definition(node, place, style.with(Mark::Strong)),
            Element::Definition => self.definition(node, place, style),
            Element::Quote => {
                let indent = format!("{}> ", place.indent);
                let kind = Kind::Quote;
                self.block(node, &BlockPosition { kind, indent }, style);
            }
            Element::List(order) => self.list(node, order, place, style),
            Element::Item => self.item(node, "- ".to_owned(), place, style),
            Element::Preformatted => self.code(node, place),
            Element::Table => self.table(node, place, style),
            Element::Rule => self.flush(place),
            Element::Block => self.block(node, place, style),
            Element::Inline => self.children(node, place, style),
        }
    }

    pub(super) fn block(&mut self, node: &NodeRef, place: &BlockPosition, style: Style) {
        self.flush(place);
        self.children(node, place, style);
        self.flush(place);
    }

    /// Reads a term or a definition. A list within a definition is indented, as nested items are.
    fn definition(&mut self, node: &NodeRef, place: &BlockPosition, style: Style) {
        let kind = Kind::Definition;
        let nested = if place.kind == kind { "  " } else { "" };
        let indent = format!("{}{nested}", place.indent);
        self.block(node, &BlockPosition { kind, indent }, style);
    }

    fn list(&mut self, node: &NodeRef, order: Order, place: &BlockPosition, style: Style) {
        self.flush(place);
        let mut number: i64 = tree::attr(node, "start").trim().parse().unwrap_or(1);
        let mut next = node.first_child();
        while let Some(child) = next {
            next = child.next_sibling();
            if child.has_name("li") {
                let marker = if order == Order::Numbered {
                    number = tree::attr(&child, "value").trim().parse().unwrap_or(number);
                    // CommonMark allows no negative list numbers, and at most nine digits.
                    let shown = number.clamp(0, 999_999_999);
                    number = number.saturating_add(1);
                    format!("{shown}. ")
                } else {
                    "- ".to_owned()
                };
                self.item(&child, marker, place, style);
            } else if tree::with_text(&child, |text| self.run.push(text, style)).is_none() {
                // On many pages, a nested `<ul>` is a child of the outer `<ul>`, not of one of its
                // `<li>`.
                let nested = BlockPosition {
                    kind: Kind::Item,
                    indent: format!("{}  ", place.indent),
                };
                self.element(&child, &nested, style);
            }
        }
        self.flush(place);
    }

    fn item(&mut self, node: &NodeRef, marker: String, place: &BlockPosition, style: Style) {
        self.flush(place);
        let indent = format!("{}{}", place.indent, " ".repeat(marker.len()));
        self.marker = marker;
        self.block(
            node,
            &BlockPosition {
                kind: Kind::Item,
                indent,
            },
            style,
        );
        self.marker.clear();
    }

    fn code(&mut self, node: &NodeRef, place: &BlockPosition) {
        self.flush(place);
        let Some((text, markdown)) = code::read(node) else {
            return;
        };
        self.emit(Kind::Code, place, text, &markdown, 0);
    }

    fn image(&mut self, node: &NodeRef, style: Style) {
        let alt = tree::attr(node, "alt");
        if is_meaningful(&alt) {
            self.run.push_alt(&alt, style);
        }
    }

    fn link(&mut self, node: &NodeRef) -> Option<usize> {
        let url = links::resolve(self.base, &node.attr("href")?)?;
        self.links.push(url);
        Some(self.links.len() - 1)
    }

    /// Finishes the current paragraph, if it has text.
    pub(super) fn flush(&mut self, place: &BlockPosition) {
        let blank = self.run.is_blank();
        let linked = self.run.linked();
        let (text, markdown) = self.run.take(&self.links);
        if blank {
            return;
        }
        let (text, markdown) = match place.kind {
            Kind::Heading(level) => (
                text.replace('\n', " "),
                format!(
                    "{} {}",
                    "#".repeat(usize::from(level.clamp(1, 6))),
                    markdown.replace("\\\n", " ")
                ),
            ),
            Kind::Prose
            | Kind::Item
            | Kind::Definition
            | Kind::Quote
            | Kind::Caption
            | Kind::Code
            | Kind::Table => (text, markdown),
        };
        self.emit(place.kind, place, text, &markdown, linked);
    }

    pub(super) fn emit(
        &mut self,
        kind: Kind,
        place: &BlockPosition,
        text: String,
        markdown: &str,
        linked: usize,
    ) {
        let marker = std::mem::take(&mut self.marker);
        let mut written = String::with_capacity(markdown.len() + place.indent.len());
        for (at, line) in markdown.split('\n').enumerate() {
            if at > 0 {
                written.push('\n');
            }
            if at == 0 && !marker.is_empty() {
                let outer = place.indent.len().saturating_sub(marker.len());
                written.push_str(place.indent.get(..outer).unwrap_or_default());
                written.push_str(&marker);
            } else {
                written.push_str(&place.indent);
            }
            written.push_str(line);
        }
        self.walked.push(kind, text, written, linked);
    }
}

/// Returns true if an image's alternative text is informative: not a file name, and either several
/// words or, in scripts without spaces, at least four characters.
fn is_meaningful(alt: &str) -> bool {
    let alt = alt.trim();
    let is_file = alt
        .rsplit_once('.')
        .is_some_and(|(_, ending)| (2..=4).contains(&ending.len()) && !alt.contains(' '));
    let wide = alt.chars().filter(|c| !c.is_ascii()).count() >= 4;
    !is_file && (alt.contains(' ') || wide)
}

#[cfg(test)]
#[path = "blocks_tests.rs"]
mod tests;
