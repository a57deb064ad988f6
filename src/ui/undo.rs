//! The changes of facts that can be undone, the latest first.

use crate::memory::{Fact, FactId};

/// A change that can be undone.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The fact that was written; `None` if the change only deleted facts.
    pub written: Option<FactId>,
    /// The facts that an undo restores.
    pub facts: Vec<Fact>,
}

/// The changes; the last is undone first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UndoStack {
    changes: Vec<Change>,
    /// True if the undo of the last change was refused.
    refused: bool,
}

impl UndoStack {
    /// Returns the change that is undone first.
    pub fn last(&self) -> Option<&Change> {
        self.changes.last()
    }

    /// Adds a change. If the last undo was refused because the memory was full, the user has now
    /// deleted a fact to make room. That deletion goes below the refused change, which is undone
    /// first.
    pub fn push(&mut self, change: Change) {
        let refused = std::mem::take(&mut self.refused);
        let at = self.changes.len().saturating_sub(usize::from(refused));
        self.changes.insert(at, change);
    }

    /// Removes a change that has been undone.
    pub fn undone(&mut self, change: &Change) {
        self.refused = false;
        self.changes.retain(|it| it != change);
    }

    /// Records that the undo of the last change failed; `refused` is true if the memory was full.
    pub fn failed(&mut self, refused: bool) {
        self.refused = refused;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(id: &str) -> Change {
        Change {
            written: Some(FactId(id.to_owned())),
            facts: Vec::new(),
        }
    }

    #[test]
    fn the_latest_change_is_undone_first() {
        let mut stack = UndoStack::default();
        stack.push(change("a"));
        stack.push(change("b"));
        assert_eq!(stack.last(), Some(&change("b")));
        stack.undone(&change("b"));
        assert_eq!(stack.last(), Some(&change("a")));
    }

    #[test]
    fn a_refused_undo_comes_before_the_deletion_that_makes_room() {
        let mut stack = UndoStack::default();
        stack.push(change("a"));
        stack.failed(true);
        stack.push(change("room"));
        assert_eq!(stack.last(), Some(&change("a")));
        stack.undone(&change("a"));
        stack.push(change("b"));
        assert_eq!(stack.last(), Some(&change("b")));
    }
}
