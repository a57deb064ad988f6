//! Resolves the references in an answer, such as `[[p14.2]]`. Each reference names a passage of the
//! page, or of a source that a tool returned.

use crate::citations::WebSources;
use crate::events::Citation;
use gloss_durable::sorted::sort_by_key;
use gloss_markdown::{Block, Inline, clean};
use gloss_model::AnswerOrigin;
use gloss_page::{Document, ReadError};
use gloss_reader::{CitedPassage, PageService};
use std::rc::Rc;

/// Resolves the references of an answer, and returns the citations in the order of first mention. A
/// reference without a passage stays in an answer that a model wrote, and is shown as unverified.
/// From an answer that consists of quotes, such a reference is removed. The result depends only on
/// the answer, the page and the tool results, so a replay returns the same citations.
///
/// # Errors
/// If the page service failed.
pub(crate) async fn resolve(
    page_service: &PageService,
    mut blocks: Vec<Block>,
    page: Option<&Rc<Document>>,
    url: &str,
    elsewhere: &WebSources,
    voice: AnswerOrigin,
) -> Result<(Vec<Block>, Vec<Citation>), ReadError> {
    let mut named: Vec<String> = Vec::new();
    for block in &mut blocks {
        keep(block, &mut |id| {
            if !named.iter().any(|named| named == id) {
                named.push(id.to_owned());
            }
            true
        });
    }
    let found = match page.filter(|_| !named.is_empty()) {
        Some(page) => {
            page_service
                .cite(page, named.clone(), url.to_owned())
                .await?
        }
        None => Vec::new(),
    };
    let mut citations: Vec<Citation> = found.into_iter().map(Citation::from).collect();
    citations.extend(elsewhere.cite(page_service, &named).await?);
    let place = |one: &Citation| named.iter().position(|id| *id == one.passage);
    sort_by_key(&mut citations, place);
    let stays = voice == AnswerOrigin::Model;
    for block in &mut blocks {
        keep(block, &mut |id| {
            stays || citations.iter().any(|citation| citation.passage == id)
        });
    }
    Ok((blocks, citations))
}

impl From<CitedPassage> for Citation {
    fn from(cited: CitedPassage) -> Self {
        Self {
            passage: cited.id,
            paragraph: cited.paragraph,
            // The quote is cleaned for display. The URL is not cleaned: its text fragment must
            // match the page exactly.
            quote: clean(&cited.quote),
            url: cited.url,
            elsewhere: None,
            found: None,
        }
    }
}

fn keep(block: &mut Block, wanted: &mut impl FnMut(&str) -> bool) {
    match block {
        Block::Paragraph { inlines } | Block::Heading { inlines, .. } => {
            keep_inlines(inlines, wanted);
        }
        Block::List { items, .. } => {
            for block in items.iter_mut().flatten() {
                keep(block, wanted);
            }
        }
        Block::Quote { blocks } => {
            for block in blocks {
                keep(block, wanted);
            }
        }
        Block::Table { rows } => {
            for cell in rows.iter_mut().flatten() {
                keep_inlines(cell, wanted);
            }
        }
        Block::Code { .. } | Block::Rule => {}
    }
}

fn keep_inlines(inlines: &mut Vec<Inline>, wanted: &mut impl FnMut(&str) -> bool) {
    inlines.retain_mut(|inline| match inline {
        Inline::Cite { passage } => wanted(passage),
        Inline::Strong { inlines }
        | Inline::Emphasis { inlines }
        | Inline::Link { inlines, .. } => {
            keep_inlines(inlines, wanted);
            true
        }
        Inline::Text { .. } | Inline::Code { .. } | Inline::Break => true,
    });
}
