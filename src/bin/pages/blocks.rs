//! Draws blocks as DOM nodes. Each text has a direction of its own (`dir="auto"`), so that a link
//! in Arabic doesn't reverse the English text around it.

use crate::browser::{address_of, host_of};
use crate::cite::cite;
use crate::copy::copy;
use crate::prelude::*;
use crate::text_context::TextContext;
use gloss::markdown::{Block, Inline, LinkOrigin};

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
        Block::Paragraph { inlines } => directed("p", with_caret(words, inlines)).into(),
        // The headings of an answer have a lower level than those of the page and of the
        // conversation.
        Block::Heading {
            level: 0..=2,
            inlines,
        } => directed("h3", with_caret(words, inlines)).into(),
        Block::Heading { inlines, .. } => directed("h4", with_caret(words, inlines)).into(),
        Block::List { start, items } => list(words, *start, items),
        Block::Quote { blocks: quoted } => tag("blockquote.stack", blocks(words, quoted)).into(),
        Block::Code { text, .. } => {
            let text = without_last_break(text);
            let copied = text.clone();
            code((text, caret(words)).into(), move || copied.clone()).into()
        }
        Block::Table { rows } => table(words, rows).into(),
        Block::Rule => tag("hr", ()).into(),
    }
}

/// An element whose text gets its own direction.
fn directed(name: &'static str, inside: View) -> Tag {
    tag(name, inside).attr("dir", "auto")
}

/// Removes a final line break, which would show as an empty line at the end of code.
pub(crate) fn without_last_break(text: &str) -> String {
    text.strip_suffix('\n').unwrap_or(text).to_owned()
}

/// Code in its frame, with a button that copies `text`.
pub(crate) fn code(body: View, text: impl Fn() -> String + 'static) -> Tag {
    let copy = copy(msg("copy_code"), "icon-btn tiny", text);
    let pre = tag("pre", tag("code", body)).attr("tabindex", "0");
    tag("div.code", (pre, copy))
}

fn list(words: &TextContext, start: Option<u64>, items: &[Vec<Block>]) -> View {
    let calm = words.without_caret();
    let last = items.len().saturating_sub(1);
    let items = items.iter().enumerate().map(|(at, one)| {
        let words = if at == last { words } else { &calm };
        item(words, one)
    });
    in_list(start, items.collect::<Vec<_>>())
}

/// A list around its items.
pub(crate) fn in_list(start: Option<u64>, items: impl IntoView) -> View {
    match start {
        Some(first) => tag("ol.numbered", items)
            .attr("start", first.to_string())
            .into(),
        None => tag("ul", items).into(),
    }
}

/// An item of a list.
pub(crate) fn item(words: &TextContext, item: &[Block]) -> Tag {
    let body = match item {
        // An item that begins with a paragraph has no space above that paragraph.
        [Block::Paragraph { inlines }, rest @ ..] => {
            let calm = words.without_caret();
            let inner = if rest.is_empty() { words } else { &calm };
            fragment((with_caret(inner, inlines), blocks(words, rest)))
        }
        other => blocks(words, other),
    };
    directed("li", body)
}

fn table(words: &TextContext, rows: &[Vec<Vec<Inline>>]) -> Tag {
    let head = rows.first().map(|one| row(words, one, TablePart::Head));
    let body = rows
        .iter()
        .skip(1)
        .map(|one| row(words, one, TablePart::Body));
    let body: Vec<_> = body.collect();
    in_table(head, body)
}

/// A table around its rows.
pub(crate) fn in_table(head: impl IntoView, body: impl IntoView) -> Tag {
    let table = tag("table", (tag("thead", head), tag("tbody", body)));
    tag("div.scroll-x", table).attr("tabindex", "0")
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
            TablePart::Head => tag("th", inside).attr("scope", "col").attr("dir", "auto"),
            TablePart::Body => directed("td", inside),
        }
    });
    tag("tr", cells.collect::<Vec<_>>()).into()
}

/// Inline text. The caret follows if `words` has one.
pub(crate) fn with_caret(words: &TextContext, said: &[Inline]) -> View {
    (inlines(words, said), caret(words)).into()
}

pub(crate) fn caret(words: &TextContext) -> View {
    words.caret.then(|| tag("span.caret", ())).into_view()
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

/// Returns the destination of a link, which is shown after the link's text: the host, the whole
/// address if the model wrote it, or the recipients of an email. `None` if the text is the same.
fn destination(url: &str, origin: LinkOrigin, inlines: &[Inline]) -> Option<String> {
    let words = gloss::markdown::words(inlines);
    let (_, said) = words.split_once("://").unwrap_or(("", &words));
    let shown = match (origin, host_of(url)) {
        (LinkOrigin::Known, host) if host != url => host,
        (LinkOrigin::Known | LinkOrigin::Model, _) => address_of(url),
    };
    (said.trim_end_matches('/') != shown).then_some(shown)
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
        Inline::Strong { inlines: inner } => {
            // In quotes of the page, the words of the question are marked.
            let name = if words.is_of_page() { "mark" } else { "strong" };
            tag(name, inlines(words, inner)).into()
        }
        Inline::Emphasis { inlines: inner } => tag("em", inlines(words, inner)).into(),
        Inline::Code { text } => tag("code", text.clone()).into(),
        Inline::Link {
            url,
            origin,
            inlines: inner,
        } => {
            // The destination is shown even if the link has a text, because a page may have told
            // the model to write this link.
            let host = destination(url, *origin, inner)
                .map(|host| fragment((" ", tag("small", format!("({host})")).attr("dir", "ltr"))));
            let link = link("a", url.clone(), inlines(words, inner)).attr("dir", "auto");
            fragment((link.attr("rel", "noopener noreferrer"), host))
        }
        // The non-breaking space keeps the citation on the line of the word before it.
        Inline::Cite { passage } => tag("span.mark", ("\u{a0}", cite(words, passage))).into(),
        Inline::Break => tag("br", ()).into(),
    }
}
