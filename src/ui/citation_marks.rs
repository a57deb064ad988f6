//! The numbers of citations: by first mention, verified or not.

use crate::agent::{Answer, AnswerOrigin, Layout};
use crate::markdown::{Block, Inline};

/// The passages in the order of their marks' numbers; empty if references are in the margin with
/// their paragraph (¶ 14).
pub fn numbered(answer: &Answer) -> Vec<String> {
    match (answer.voice, answer.layout) {
        (AnswerOrigin::Model, Layout::Prose) => mentioned(&answer.blocks),
        (AnswerOrigin::Model, Layout::Summary) | (AnswerOrigin::Page, _) => Vec::new(),
    }
}

/// The passages that blocks cite, each once, in the order of their mention.
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

/// The paragraph that a passage is in.
pub fn paragraph_of(passage: &str) -> String {
    // The id of a web passage begins with its source, as in `w1a1.p4`.
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
