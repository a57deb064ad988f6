//! The walk over a page's tree that writes its paragraphs.
//!
//! Driving example: `<ul><li>a<ol><li>b` becomes two items, `- a` and `  1. b`.
//! It decides what a block is and where it starts; what of the page is walked at
//! all is [`super::extract`]'s choice, and inline content is [`Run`]'s.

use dom_query::NodeRef;

use super::run::{Mark, Run, Style};
use super::walked::Walked;
use super::{Kind, Paragraph, code, links, table, tree};

/// Writes paragraphs as it walks.
pub(super) struct Walker<'a> {
    base: &'a str,
    links: Vec<String>,
    run: Run,
    walked: Walked,
    /// What the next paragraph starts with: an item's marker.
    marker: String,
}

/// Where in the page's blocks the walk stands.
#[derive(Debug, Clone)]
struct Place {
    kind: Kind,
    /// What every line of a paragraph here starts with.
    indent: String,
}

impl<'a> Walker<'a> {
    /// A walker for a page whose relative links start from `base`.
    pub(super) fn new(base: &'a str) -> Self {
        Self {
            base,
            links: Vec::new(),
            run: Run::default(),
            walked: Walked::default(),
            marker: String::new(),
        }
    }

    /// The paragraphs of everything under `root`.
    pub(super) fn walk(mut self, root: &NodeRef) -> Walked {
        let place = Place {
            kind: Kind::Prose,
            indent: String::new(),
        };
        self.children(root, &place, Style::default());
        self.flush(&place);
        self.walked
    }

    fn children(&mut self, node: &NodeRef, place: &Place, style: Style) {
        let mut next = node.first_child();
        while let Some(child) = next {
            next = child.next_sibling();
            if tree::with_text(&child, |text| self.run.push(text, style)).is_none() {
                self.element(&child, place, style);
            }
        }
    }

    fn element(&mut self, node: &NodeRef, place: &Place, style: Style) {
        let name = tree::name(node);
        match name.as_ref() {
            "" | "script" | "style" | "noscript" | "template" | "svg" | "iframe" | "object"
            | "embed" | "audio" | "video" | "canvas" | "input" | "select" | "textarea"
            | "button" | "head" | "meta" | "link" | "datalist" | "rt" | "rp" | "annotation"
            | "annotation-xml" | "map" | "frameset" => {}
            "br" => self.run.push_break(),
            "img" => self.image(node, style),
            "em" | "i" | "cite" | "dfn" | "var" => {
                self.children(node, place, style.with(Mark::Emphasis));
            }
            "strong" | "b" => self.children(node, place, style.with(Mark::Strong)),
            "del" | "s" | "strike" => self.children(node, place, style.with(Mark::Strike)),
            "code" | "kbd" | "samp" | "tt" => self.children(
                node,
                place,
                Style {
                    code: true,
                    ..style
                },
            ),
            "a" => {
                let link = self.link(node);
                self.children(
                    node,
                    place,
                    Style {
                        link: link.or(style.link),
                        ..style
                    },
                );
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                let level = name
                    .bytes()
                    .nth(1)
                    .map_or(1, |digit| digit.saturating_sub(b'0'));
                self.block(
                    node,
                    &Place {
                        kind: Kind::Heading(level),
                        ..place.clone()
                    },
                    style,
                );
            }
            "blockquote" => {
                let indent = format!("{}> ", place.indent);
                self.block(
                    node,
                    &Place {
                        kind: Kind::Quote,
                        indent,
                    },
                    style,
                );
            }
            "figcaption" | "caption" => {
                self.block(
                    node,
                    &Place {
                        kind: Kind::Caption,
                        ..place.clone()
                    },
                    style,
                );
            }
            "dt" => self.block(
                node,
                &Place {
                    kind: Kind::Definition,
                    ..place.clone()
                },
                style.with(Mark::Strong),
            ),
            "dd" => self.block(
                node,
                &Place {
                    kind: Kind::Definition,
                    ..place.clone()
                },
                style,
            ),
            "ul" | "ol" | "menu" | "dir" => self.list(node, &*name == "ol", place, style),
            "li" => self.item(node, "- ".to_owned(), place, style),
            "pre" | "listing" | "xmp" | "plaintext" => self.code(node, place),
            "table" => self.table(node, place, style),
            "hr" => self.flush(place),
            block if is_block(block) => self.block(node, place, style),
            _ => self.children(node, place, style),
        }
    }

    fn block(&mut self, node: &NodeRef, place: &Place, style: Style) {
        self.flush(place);
        self.children(node, place, style);
        self.flush(place);
    }

    fn list(&mut self, node: &NodeRef, ordered: bool, place: &Place, style: Style) {
        self.flush(place);
        let mut number: i64 = tree::attr(node, "start").trim().parse().unwrap_or(1);
        let mut next = node.first_child();
        while let Some(child) = next {
            next = child.next_sibling();
            if child.has_name("li") {
                let marker = if ordered {
                    number = tree::attr(&child, "value").trim().parse().unwrap_or(number);
                    // CommonMark knows no negative numbers and at most nine digits.
                    let shown = number.clamp(0, 999_999_999);
                    number = number.saturating_add(1);
                    format!("{shown}. ")
                } else {
                    "- ".to_owned()
                };
                self.item(&child, marker, place, style);
            } else if tree::with_text(&child, |text| self.run.push(text, style)).is_none() {
                // Lists stand in lists without an item around them on many pages.
                let nested = Place {
                    kind: Kind::Item,
                    indent: format!("{}  ", place.indent),
                };
                self.element(&child, &nested, style);
            }
        }
        self.flush(place);
    }

    fn item(&mut self, node: &NodeRef, marker: String, place: &Place, style: Style) {
        self.flush(place);
        let indent = format!("{}{}", place.indent, " ".repeat(marker.len()));
        self.marker = marker;
        self.block(
            node,
            &Place {
                kind: Kind::Item,
                indent,
            },
            style,
        );
        self.marker.clear();
    }

    fn code(&mut self, node: &NodeRef, place: &Place) {
        self.flush(place);
        let Some((text, markdown)) = code::read(node) else {
            return;
        };
        self.emit(Kind::Code, place, text, &markdown, 0);
    }

    fn table(&mut self, node: &NodeRef, place: &Place, style: Style) {
        self.flush(place);
        let Some(rows) = table::rows(node) else {
            // A layout table: its cells are boxes like any other.
            self.block(node, place, style);
            return;
        };
        for caption in node.children_it(false).filter(|n| n.has_name("caption")) {
            self.block(
                &caption,
                &Place {
                    kind: Kind::Caption,
                    ..place.clone()
                },
                style,
            );
        }
        let mut linked = 0;
        let rows: Vec<Vec<(String, String)>> = rows
            .iter()
            .map(|row| {
                row.iter()
                    .map(|cell| self.cell(cell.as_ref(), &mut linked))
                    .collect()
            })
            .collect();
        let (text, markdown) = table::write(&rows);
        if !text.trim().is_empty() {
            self.emit(Kind::Table, place, text, &markdown, linked);
        }
    }

    /// A cell's words on one line.
    fn cell(&mut self, cell: Option<&NodeRef>, linked: &mut usize) -> (String, String) {
        let Some(cell) = cell else {
            return Default::default();
        };
        let mut inner = Walker::new(self.base);
        inner.links = std::mem::take(&mut self.links);
        let place = Place {
            kind: Kind::Prose,
            indent: String::new(),
        };
        inner.children(cell, &place, Style::default());
        inner.flush(&place);
        self.links = inner.links;
        *linked += inner.walked.linked_bytes();
        let line = |words: fn(&Paragraph) -> &str| {
            let parts: Vec<String> = inner
                .walked
                .paragraphs
                .iter()
                .map(|p| words(p).replace("\\\n", " ").replace(['\n', '\t'], " "))
                .collect();
            parts.join(" ")
        };
        // Even in code a bare pipe would end the cell.
        let markdown = line(|p| &p.markdown)
            .replace("\\|", "|")
            .replace('|', "\\|");
        (line(|p| &p.text), markdown)
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

    /// Ends the paragraph that is being written, if there is one.
    fn flush(&mut self, place: &Place) {
        let blank = self.run.is_blank();
        let linked = self.run.linked();
        let (text, markdown) = self.run.take(&self.links);
        if blank {
            return;
        }
        let markdown = match place.kind {
            Kind::Heading(level) => format!(
                "{} {}",
                "#".repeat(usize::from(level.clamp(1, 6))),
                markdown.replace("\\\n", " ")
            ),
            Kind::Prose
            | Kind::Item
            | Kind::Definition
            | Kind::Quote
            | Kind::Caption
            | Kind::Code
            | Kind::Table => markdown,
        };
        self.emit(place.kind, place, text, &markdown, linked);
    }

    fn emit(&mut self, kind: Kind, place: &Place, text: String, markdown: &str, linked: usize) {
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

fn is_block(name: &str) -> bool {
    matches!(
        name,
        "address"
            | "article"
            | "aside"
            | "body"
            | "center"
            | "details"
            | "dialog"
            | "div"
            | "dl"
            | "fieldset"
            | "figure"
            | "footer"
            | "form"
            | "header"
            | "hgroup"
            | "html"
            | "legend"
            | "main"
            | "nav"
            | "optgroup"
            | "option"
            | "p"
            | "search"
            | "section"
            | "summary"
            | "tbody"
            | "td"
            | "tfoot"
            | "th"
            | "thead"
            | "tr"
    )
}

/// Whether an image's words say something: more than a word, and no file's name.
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
