//! References in an answer: each resolves to a passage that stands in the page.

use super::{Citation, Voice};
use crate::markdown::{Block, Inline, clean};
use crate::page::{self, Document};
use crate::text::Language;

/// More passages than this no answer needs: each is looked for in the whole page.
const MOST_CITATIONS: usize = 200;

/// The passages that an answer cites, in the order of first mention. A model's
/// reference that resolves to none stays in the text, to be shown as unverified;
/// quotes have no such reference.
pub(super) fn resolve(
    mut blocks: Vec<Block>,
    page: Option<&Document>,
    url: &str,
    voice: Voice,
) -> (Vec<Block>, Vec<Citation>) {
    let stays = voice == Voice::Model;
    let mut resolver = page.map(|document| Resolver {
        document,
        language: document.written_in(),
        url,
        found: Vec::new(),
    });
    for block in &mut blocks {
        keep(block, &mut |id| {
            resolver.as_mut().is_some_and(|resolver| resolver.cite(id)) || stays
        });
    }
    (
        blocks,
        resolver.map_or_else(Vec::new, |resolver| resolver.found),
    )
}

struct Resolver<'a> {
    document: &'a Document,
    language: Language,
    url: &'a str,
    found: Vec<Citation>,
}

impl Resolver<'_> {
    fn cite(&mut self, id: &str) -> bool {
        if self.found.iter().any(|citation| citation.passage == id) {
            return true;
        }
        if self.found.len() >= MOST_CITATIONS {
            return false;
        }
        let Some((paragraph, quote)) = self.document.cited(id, self.language) else {
            return false;
        };
        let directive = page::text_fragment(self.document, paragraph, quote);
        self.found.push(Citation {
            passage: id.to_owned(),
            paragraph,
            // As it is shown; the address keeps the page's own characters.
            quote: clean(quote),
            url: directive.map_or_else(|| self.url.to_owned(), |d| page::link(self.url, &d)),
        });
        true
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
