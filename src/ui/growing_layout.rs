//! The layout of an answer while it grows: that of the complete answer, so that nothing moves when
//! the complete answer replaces it.

use crate::agent::Goal;
use crate::markdown::Block;

/// The outer node of a block. While the frame stays the same, the node stays.
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

/// The frames of the blocks, in their order.
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
