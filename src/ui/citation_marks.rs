//! The numbers of citations, in the order in which an answer first mentions them.

use crate::agent::{Answer, AnswerOrigin, Layout};
use crate::markdown::{Block, Inline};

/// Returns the cited passages; the first has number 1. Empty if the answer shows paragraph numbers
/// in its margin (¶ 14), as summaries and answers made of quotes do.
pub fn numbered(answer: &Answer) -> Vec<String> {
    match (answer.voice, answer.layout) {
        (AnswerOrigin::Model, Layout::Prose) => mentioned(&answer.blocks),
        (AnswerOrigin::Model, Layout::Summary) | (AnswerOrigin::Page, _) => Vec::new(),
    }
}

/// Returns the ids of the passages that blocks cite, each once, in the order of their first
/// mention.
pub fn mentioned(blocks: &[Block]) -> Vec<String> {
    let mut found = Vec::new();
    in_blocks(blocks, &mut found);
    found
}

fn in_blocks(blocks: &[Block], found: &mut Vec<String>) {
    for block in blocks {
        match block {
            Block::Paragraph { inlines } | Block::Heading { inlines, .. } => {
                in_inlines(inlines, found);
            }
            Block::List { items, .. } => items.iter().for_each(|item| in_blocks(item, found)),
            Block::Quote { blocks } => in_blocks(blocks, found),
            Block::Table { rows } => rows
                .iter()
                .flatten()
                .for_each(|cell| in_inlines(cell, found)),
            Block::Code { .. } | Block::Rule => {}
        }
    }
}

fn in_inlines(inlines: &[Inline], found: &mut Vec<String>) {
    for inline in inlines {
        match inline {
            Inline::Cite { passage } => {
                if !found.contains(passage) {
                    found.push(passage.clone());
                }
            }
            Inline::Strong { inlines }
            | Inline::Emphasis { inlines }
            | Inline::Link { inlines, .. } => in_inlines(inlines, found),
            Inline::Text { .. } | Inline::Code { .. } | Inline::Break => {}
        }
    }
}

/// Returns the number of the paragraph that contains a passage: `"p14.2"` and `"w1a1.p14"` ->
/// `"14"`.
pub fn paragraph_of(passage: &str) -> String {
    // The id of a passage on the web begins with its source: `w1a1` in `w1a1.p4`.
    let own = passage.rsplit_once(".p").map_or(passage, |(_, own)| own);
    let numbers = own.trim_start_matches('p');
    numbers.split('.').next().unwrap_or(numbers).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passage_names_its_paragraph() {
        for (passage, paragraph) in [("p4", "4"), ("p4.2", "4"), ("w1a1.p7", "7")] {
            assert_eq!(paragraph_of(passage), paragraph);
        }
    }

    #[test]
    fn passages_are_numbered_by_their_first_mention() {
        let cite = |passage: &str| Inline::Cite {
            passage: passage.to_owned(),
        };
        let paragraph = Block::Paragraph {
            inlines: vec![cite("p2"), cite("p1"), cite("p2")],
        };
        let list = Block::List {
            start: None,
            items: vec![vec![paragraph.clone()]],
        };
        assert_eq!(mentioned(&[paragraph, list]), ["p2", "p1"]);
    }
}
