//! Draws blocks as DOM nodes. Each text has a direction of its own (`dir="auto"`), so that a link
//! in Arabic doesn't reverse the English text around it.

use crate::browser::host_of;
use crate::cite::{cite, link};
use crate::copy::copy;
use crate::parts::tag;
use crate::words::msg;
use gloss::agent::{Answer, AnswerOrigin, Citation};
use gloss::markdown::{Block, Inline};
use std::rc::Rc;
use sycamore::prelude::*;

/// The context of a shown text: who wrote it, and which passages it may cite.
#[derive(Clone)]
pub(crate) struct TextContext {
    voice: AnswerOrigin,
    /// `None` while the model is still writing the answer.
    citations: Option<Rc<[Citation]>>,
    /// The cited passages; the first has number 1.
    marks: Rc<[String]>,
    /// True if the caret is shown after the last word.
    caret: bool,
}

impl TextContext {
    pub(crate) fn of(answer: &Answer) -> Self {
        Self {
            voice: answer.voice,
            citations: Some(answer.citations.as_slice().into()),
            marks: gloss::ui::citation_marks::numbered(answer).into(),
            caret: false,
        }
    }

    /// The context of an answer that the model is still writing, with or without the caret.
    pub(crate) fn growing(voice: AnswerOrigin, caret: bool) -> Self {
        Self {
            voice,
            citations: None,
            marks: Rc::new([]),
            caret,
        }
    }

    pub(crate) fn citation(&self, passage: &str) -> Option<&Citation> {
        self.citations
            .as_ref()?
            .iter()
            .find(|citation| citation.passage == passage)
    }

    /// The number of a citation, from 1; `None` if the answer's citations have no numbers.
    pub(crate) fn number(&self, passage: &str) -> Option<usize> {
        let at = self.marks.iter().position(|known| known == passage)?;
        Some(at + 1)
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.citations.is_some()
    }

    /// The class of a text. If the text comes from the page, it is shown in the page's font.
    pub(crate) fn class(&self, name: &str) -> String {
        match self.voice {
            AnswerOrigin::Page => format!("{name} quote"),
            AnswerOrigin::Model => name.to_owned(),
        }
    }

    pub(crate) fn without_caret(&self) -> Self {
        Self {
            caret: false,
            ..self.clone()
        }
    }
}

pub(crate) fn blocks(words: &TextContext, all: &[Block]) -> View {
    let calm = words.without_caret();
    let last = all.len().saturating_sub(1);
    let views = all.iter().enumerate().map(|(at, one)| {
        let words = if at == last { words } else { &calm };
        block(words, one)
    });
    views.collect::<Vec<_>>().into()
}

fn block(words: &TextContext, block: &Block) -> View {
    match block {
        Block::Paragraph { inlines } => directed("p", with_caret(words, inlines)),
        // The headings of an answer are below the heading of the page and that of the turn.
        Block::Heading {
            level: 0..=2,
            inlines,
        } => directed("h3", with_caret(words, inlines)),
        Block::Heading { inlines, .. } => directed("h4", with_caret(words, inlines)),
        Block::List { start, items } => list(words, *start, items),
        Block::Quote { blocks: quoted } => tag("blockquote.stack", blocks(words, quoted)).into(),
        Block::Code { text, .. } => {
            let text = without_last_break(text);
            let copied = text.clone();
            code((text, caret(words)).into(), move || copied.clone())
        }
        Block::Table { rows } => table(words, rows),
        Block::Rule => tag("hr", ()).into(),
    }
}

/// An element with a text direction of its own.
fn directed(name: &'static str, inside: View) -> View {
    tag(name, inside).attr("dir", "auto").into()
}

/// Removes a final line break, which would show as an empty line at the end of code.
pub(crate) fn without_last_break(text: &str) -> String {
    text.strip_suffix('\n').unwrap_or(text).to_owned()
}

/// A block of code, with a button that copies `text`.
pub(crate) fn code(body: View, text: impl Fn() -> String + 'static) -> View {
    let copy = copy(msg("copy_code"), "icon-btn tiny", text);
    let pre = tag("pre", tag("code", body)).attr("tabindex", "0");
    tag("div.code", (pre, copy)).into()
}

fn list(words: &TextContext, start: Option<u64>, items: &[Vec<Block>]) -> View {
    let calm = words.without_caret();
    let last = items.len().saturating_sub(1);
    let items = items.iter().enumerate().map(|(at, one)| {
        let words = if at == last { words } else { &calm };
        item(words, one)
    });
    in_list(start, items.collect::<Vec<_>>().into())
}

pub(crate) fn in_list(start: Option<u64>, items: View) -> View {
    match start {
        Some(first) => tag("ol.numbered", items)
            .attr("start", first.to_string())
            .into(),
        None => tag("ul", items).into(),
    }
}

pub(crate) fn item(words: &TextContext, item: &[Block]) -> View {
    let body = match item {
        // An item that begins with a paragraph has no space above that paragraph.
        [Block::Paragraph { inlines }, rest @ ..] => {
            let calm = words.without_caret();
            let inner = if rest.is_empty() { words } else { &calm };
            View::from((with_caret(inner, inlines), blocks(words, rest)))
        }
        other => blocks(words, other),
    };
    directed("li", body)
}

fn table(words: &TextContext, rows: &[Vec<Vec<Inline>>]) -> View {
    let head = rows.first().map(|one| row(words, one, TablePart::Head));
    let body = rows
        .iter()
        .skip(1)
        .map(|one| row(words, one, TablePart::Body));
    let body: Vec<View> = body.collect();
    in_table(head.into(), body.into())
}

pub(crate) fn in_table(head: View, body: View) -> View {
    let table = tag("table", (tag("thead", head), tag("tbody", body)));
    tag("div.scroll-x", table).attr("tabindex", "0").into()
}

/// The part of the table that contains a row.
#[derive(Clone, Copy)]
pub(crate) enum TablePart {
    Head,
    Body,
}

pub(crate) fn row(words: &TextContext, cells: &[Vec<Inline>], place: TablePart) -> View {
    let calm = words.without_caret();
    let cells = cells.iter().map(|cell| {
        let inside = inlines(&calm, cell);
        match place {
            TablePart::Head => tag("th", inside)
                .attr("scope", "col")
                .attr("dir", "auto")
                .into(),
            TablePart::Body => directed("td", inside),
        }
    });
    tag("tr", cells.collect::<Vec<View>>()).into()
}

/// Inline text. The caret follows if `words` has one.
pub(crate) fn with_caret(words: &TextContext, said: &[Inline]) -> View {
    (inlines(words, said), caret(words)).into()
}

pub(crate) fn caret(words: &TextContext) -> View {
    words
        .caret
        .then(|| View::from(tag("span.caret", ())))
        .into()
}

pub(crate) fn inlines(words: &TextContext, said: &[Inline]) -> View {
    let views = said.iter().enumerate().map(|(at, one)| {
        match (one, said.get(at + 1)) {
            // The citation begins with a non-breaking space, so the text before it needs no space.
            (Inline::Text { text }, Some(next)) if begins_with_mark(next) => {
                text.trim_end().to_owned().into()
            }
            _ => inline(words, one),
        }
    });
    views.collect::<Vec<_>>().into()
}

/// The host of a link; `None` if the link's text already contains the host.
fn host_unsaid(url: &str, inlines: &[Inline]) -> Option<String> {
    let host = host_of(url);
    let says = gloss::ui::markdown_text::words(inlines).contains(&host);
    (!says && host != url).then_some(host)
}

fn begins_with_mark(inline: &Inline) -> bool {
    match inline {
        Inline::Cite { .. } => true,
        Inline::Strong { inlines }
        | Inline::Emphasis { inlines }
        | Inline::Link { inlines, .. } => inlines.first().is_some_and(begins_with_mark),
        Inline::Text { .. } | Inline::Code { .. } | Inline::Break => false,
    }
}

fn inline(words: &TextContext, one: &Inline) -> View {
    match one {
        Inline::Text { text } => text.clone().into(),
        Inline::Strong { inlines: inner } => tag("strong", inlines(words, inner)).into(),
        Inline::Emphasis { inlines: inner } => tag("em", inlines(words, inner)).into(),
        Inline::Code { text } => tag("code", text.clone()).into(),
        Inline::Link {
            url,
            inlines: inner,
        } => {
            // The host is always visible, because a page may have told the model to write this
            // link.
            let host = host_unsaid(url, inner).map(|host| {
                View::from((" ", tag("small", format!("({host})")).attr("dir", "ltr")))
            });
            let link = link("a", url.clone(), inlines(words, inner)).attr("dir", "auto");
            View::from((link.attr("rel", "noopener noreferrer"), host))
        }
        // The non-breaking space keeps the citation on the line of the word before it.
        Inline::Cite { passage } => tag("span.mark", ("\u{a0}", cite(words, passage))).into(),
        Inline::Break => tag("br", ()).into(),
    }
}
