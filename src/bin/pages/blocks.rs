//! Blocks as DOM nodes; finished ones are never touched again while the last grows.

use crate::cite::cite;
use crate::surface::{Surface, is_over};
use gloss::agent::{Answer, Citation, Voice};
use gloss::host::RunId;
use gloss::markdown::{Block, Inline};
use std::rc::Rc;
use sycamore::prelude::*;

/// Whose words are shown, and what they may cite.
#[derive(Clone)]
pub(crate) struct Words {
    voice: Voice,
    /// `None` while the answer grows.
    citations: Option<Rc<[Citation]>>,
    /// The caret stands after the last word.
    caret: bool,
}

impl Words {
    pub(crate) fn of(answer: &Answer) -> Self {
        Self {
            voice: answer.voice,
            citations: Some(answer.citations.as_slice().into()),
            caret: false,
        }
    }

    pub(crate) fn citation(&self, passage: &str) -> Option<&Citation> {
        self.citations
            .as_ref()?
            .iter()
            .find(|citation| citation.passage == passage)
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.citations.is_some()
    }

    /// A class, with the page's own face if these are its words.
    pub(crate) fn class(&self, name: &str) -> String {
        match self.voice {
            Voice::Page => format!("{name} quote"),
            Voice::Model => name.to_owned(),
        }
    }

    fn without_caret(&self) -> Self {
        Self {
            caret: false,
            ..self.clone()
        }
    }
}

/// The answer while it grows, with a caret while the run is at work.
pub(crate) fn growing(run: &RunId) -> View {
    let parts = Surface::here().of(run, |turn| {
        let last = turn.growing.len().saturating_sub(1);
        let live = !is_over(turn.status);
        let parts = turn.growing.iter().enumerate();
        parts
            .map(|(at, block)| (block.clone(), live && at == last))
            .collect::<Vec<_>>()
    });
    let parts = create_memo(move || parts.get_clone().unwrap_or_default());
    view! {
        Indexed(list=parts, view=|(block, caret): (Block, bool)| {
            let words = Words { voice: Voice::Model, citations: None, caret };
            blocks(&words, std::slice::from_ref(&block))
        })
    }
}

/// Blocks, in their order.
pub(crate) fn blocks(words: &Words, all: &[Block]) -> View {
    let calm = words.without_caret();
    let last = all.len().saturating_sub(1);
    let views = all.iter().enumerate().map(|(at, one)| {
        let words = if at == last { words } else { &calm };
        block(words, one)
    });
    views.collect::<Vec<_>>().into()
}

fn block(words: &Words, block: &Block) -> View {
    match block {
        Block::Paragraph { inlines } => {
            let text = with_caret(words, inlines);
            view! { p { (text) } }
        }
        Block::Heading { level, inlines } => heading(words, *level, inlines),
        Block::List { start, items } => list(words, *start, items),
        Block::Quote { blocks: quoted } => {
            let body = blocks(words, quoted);
            view! { blockquote(class="stack") { (body) } }
        }
        Block::Code { text, .. } => {
            let text = text.strip_suffix('\n').unwrap_or(text).to_owned();
            let caret = caret(words);
            view! { pre(tabindex="0") { code { (text) } (caret) } }
        }
        Block::Table { rows } => table(words, rows),
        Block::Rule => view! { hr {} },
    }
}

/// An answer's headings stand below the page's one and the turn's.
fn heading(words: &Words, level: u8, said: &[Inline]) -> View {
    let text = with_caret(words, said);
    match level {
        0..=2 => view! { h3 { (text) } },
        _ => view! { h4 { (text) } },
    }
}

fn list(words: &Words, start: Option<u64>, items: &[Vec<Block>]) -> View {
    let calm = words.without_caret();
    let last = items.len().saturating_sub(1);
    let items = items.iter().enumerate().map(|(at, item)| {
        let words = if at == last { words } else { &calm };
        let body = match item.as_slice() {
            // A tight item is its words, without a paragraph's space.
            [Block::Paragraph { inlines }, rest @ ..] => {
                let inner = if rest.is_empty() { words } else { &calm };
                let text = with_caret(inner, inlines);
                let rest = blocks(words, rest);
                view! { (text) (rest) }
            }
            other => blocks(words, other),
        };
        view! { li { (body) } }
    });
    let items: Vec<View> = items.collect();
    match start {
        Some(first) => view! { ol(start=first.to_string(), class="numbered") { (items) } },
        None => view! { ul { (items) } },
    }
}

fn table(words: &Words, rows: &[Vec<Vec<Inline>>]) -> View {
    let calm = words.without_caret();
    let cells = |row: &Vec<Vec<Inline>>, head: bool| -> Vec<View> {
        row.iter()
            .map(|cell| {
                let text = inlines(&calm, cell);
                if head {
                    view! { th(scope="col") { (text) } }
                } else {
                    view! { td { (text) } }
                }
            })
            .collect()
    };
    let head = rows.first().map(|row| {
        let cells = cells(row, true);
        view! { thead { tr { (cells) } } }
    });
    let body: Vec<View> = rows
        .iter()
        .skip(1)
        .map(|row| {
            let cells = cells(row, false);
            view! { tr { (cells) } }
        })
        .collect();
    view! {
        div(class="scroll-x", tabindex="0") {
            table { (head) tbody { (body) } }
        }
    }
}

fn with_caret(words: &Words, said: &[Inline]) -> View {
    let (text, caret) = (inlines(words, said), caret(words));
    view! { (text) (caret) }
}

fn caret(words: &Words) -> View {
    if words.caret {
        view! { span(class="caret") {} }
    } else {
        View::new()
    }
}

/// Words within a block.
pub(crate) fn inlines(words: &Words, said: &[Inline]) -> View {
    let views = said.iter().enumerate().map(|(at, one)| {
        match (one, said.get(at + 1)) {
            // The mark brings a space of its own, at which no line breaks.
            (Inline::Text { text }, Some(Inline::Cite { .. })) => text.trim_end().to_owned().into(),
            _ => inline(words, one),
        }
    });
    views.collect::<Vec<_>>().into()
}

fn inline(words: &Words, one: &Inline) -> View {
    match one {
        Inline::Text { text } => text.clone().into(),
        Inline::Strong { inlines: inner } => {
            let inner = inlines(words, inner);
            view! { strong { (inner) } }
        }
        Inline::Emphasis { inlines: inner } => {
            let inner = inlines(words, inner);
            view! { em { (inner) } }
        }
        Inline::Code { text } => {
            let text = text.clone();
            view! { code { (text) } }
        }
        Inline::Link {
            url,
            inlines: inner,
        } => {
            let (url, inner) = (url.clone(), inlines(words, inner));
            view! { a(href=url, target="_blank", rel="noopener noreferrer") { (inner) } }
        }
        Inline::Cite { passage } => {
            let mark = cite(words, passage);
            // A mark never starts a line.
            view! { span(class="mark") { "\u{a0}" (mark) } }
        }
        Inline::Break => view! { br {} },
    }
}
