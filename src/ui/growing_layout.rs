//! The layout of an answer while the model writes it. The complete answer has the same layout, so
//! that nothing moves at the end.

use crate::agent::Goal;
use crate::markdown::Block;

/// The outer DOM node of a block. The page keeps a block's node while the block's frame stays the
/// same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// A paragraph, heading, quote or rule.
    Whole,
    /// The gist of a summary.
    Gist,
    /// The key points of a summary.
    Points,
    /// A list, with its first number.
    List(Option<u64>),
    /// A table.
    Table,
    /// A block of code.
    Code,
}

/// Returns the frames of the blocks, in the order of the blocks.
pub fn frames(goal: &Goal, blocks: &[Block]) -> Vec<Frame> {
    let summary = matches!(goal, Goal::Summarize);
    let (mut gist, mut points) = (summary, summary);
    let frame = |block: &Block| match block {
        Block::Paragraph { .. } if gist && points => {
            gist = false;
            Frame::Gist
        }
        Block::List { .. } if points => {
            (gist, points) = (false, false);
            Frame::Points
        }
        Block::List { start, .. } => Frame::List(*start),
        Block::Table { .. } => Frame::Table,
        Block::Code { .. } => Frame::Code,
        Block::Paragraph { .. } | Block::Heading { .. } | Block::Quote { .. } | Block::Rule => {
            Frame::Whole
        }
    };
    blocks.iter().map(frame).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_has_one_gist_and_one_list_of_points() {
        let paragraph = || Block::Paragraph {
            inlines: Vec::new(),
        };
        let list = || Block::List {
            start: Some(1),
            items: Vec::new(),
        };
        let blocks = [paragraph(), paragraph(), list(), list()];
        let summary = frames(&Goal::Summarize, &blocks);
        let later = Frame::List(Some(1));
        assert_eq!(summary, [Frame::Gist, Frame::Whole, Frame::Points, later]);
        let points_first = frames(&Goal::Summarize, &[list(), paragraph()]);
        assert_eq!(points_first, [Frame::Points, Frame::Whole]);
        let answer = frames(&Goal::GoOn, &blocks);
        assert_eq!(answer, [Frame::Whole, Frame::Whole, later, later]);
    }
}
