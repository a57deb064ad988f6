//! A summary: the gist, then the key points, with references to passages in the margin.

use crate::blocks::{blocks, with_caret};
use crate::cite::cite;
use crate::prelude::*;
use crate::text_context::TextContext;
use gloss::agent::Answer;
use gloss::markdown::{Block, Inline};

/// Draws a summary. The first paragraph is the gist, and the first list contains the key points.
/// All other blocks are normal text. If the answer has labels, the gist is the page's description,
/// and both have a label as their heading.
pub(crate) fn summary(words: &TextContext, answer: &Answer) -> View {
    let mut seen = (false, false);
    let label = |at: usize| answer.leads.get(at).map(|lead| phrase_text(&lead.says));
    let parts = answer.blocks.iter().map(|block| match block {
        Block::Paragraph { inlines } if seen == (false, false) => {
            seen.0 = true;
            match label(0) {
                Some(label) => described(words, label, inlines),
                None => gist(words, inlines).into(),
            }
        }
        Block::List { items, .. } if !seen.1 => {
            seen = (true, true);
            let items: Vec<_> = items.iter().map(|item| point(words, item)).collect();
            match label(1) {
                Some(label) => fragment((tag("h3.label", label), points(words, items))),
                None => in_points(words, items),
            }
        }
        other => blocks(words, std::slice::from_ref(other)),
    });
    parts.collect::<Vec<_>>().into()
}

/// Draws the gist as a heading.
pub(crate) fn gist(words: &TextContext, gist: &[Inline]) -> Tag {
    let heading = tag("h2", with_caret(words, gist)).class(words.class("gist"));
    heading.attr("dir", "auto")
}

/// The page's description as the gist, under its label.
fn described(words: &TextContext, label: String, gist: &[Inline]) -> View {
    let text = tag("p", with_caret(words, gist)).class(words.class("gist"));
    let source = meta(msg("description_source"));
    fragment((tag("h2.label", label), text.attr("dir", "auto"), source))
}

/// The key points around their items.
pub(crate) fn in_points(words: &TextContext, items: impl IntoView) -> View {
    fragment((tag("h3.sr", msg("key_points")), points(words, items)))
}

fn points(words: &TextContext, items: impl IntoView) -> Tag {
    tag("ol", items).class(words.class("points"))
}

/// A key point, with its passages in the margin.
pub(crate) fn point(words: &TextContext, item: &[Block]) -> Tag {
    let mut passages = Vec::new();
    let body = match item {
        [Block::Paragraph { inlines: said }] => {
            let text = with_caret(words, &without_cites(said, &mut passages));
            tag("p", text).attr("dir", "auto")
        }
        several => tag("div", blocks(words, several)),
    };
    passages.dedup();
    tag("li", (body, margin(words, &passages)))
}

/// The references to passages, in the margin of an item.
pub(crate) fn margin(words: &TextContext, passages: &[String]) -> View {
    let refs: Vec<_> = passages
        .iter()
        .map(|passage| cite(words, passage))
        .collect();
    match refs.len() {
        0 | 1 => refs.into(),
        _ => tag("span.refs", refs).into(),
    }
}

/// The text without its citations. Their passages are added to `passages`, for the margin.
pub(crate) fn without_cites(said: &[Inline], passages: &mut Vec<String>) -> Vec<Inline> {
    let mut words: Vec<Inline> = Vec::new();
    for inline in said {
        if let Inline::Cite { passage } = inline {
            passages.push(passage.clone());
            // The space before a citation is removed too, because a full stop may follow the
            // citation.
            if let Some(Inline::Text { text }) = words.last_mut() {
                text.truncate(text.trim_end().len());
            }
        } else {
            words.push(inline.clone());
        }
    }
    if let Some(Inline::Text { text }) = words.last_mut() {
        text.truncate(text.trim_end().len());
    }
    words
}
