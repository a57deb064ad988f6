//! The user's switches over groups of tools, with their current values.
//!
//! Driving example: a run is in its third step when the user turns *Web search* off. From then on
//! the run sends no request to the web, although its configuration allowed it. Its model reads that
//! in the tool result and continues. Only effects read the switches: their outcomes are recorded.

use super::{Group, ToolError};
use gloss_durable::sorted::SortedSet;
use std::cell::RefCell;

/// The groups that are off. One instance for each worker.
#[derive(Debug, Default)]
pub struct Switches {
    off: RefCell<SortedSet<Group>>,
}

impl Switches {
    /// Replaces the groups that are off. Running runs see it immediately.
    pub fn set(&self, off: SortedSet<Group>) {
        self.off.replace(off);
    }

    /// Checks that a group is on.
    ///
    /// # Errors
    /// The tool result for the model, if the user turned it off.
    pub(super) fn allow(&self, group: Group) -> Result<(), ToolError> {
        if self.is_on(group) {
            Ok(())
        } else {
            Err(ToolError::TurnedOff { group })
        }
    }

    /// Returns true if this group is on now.
    pub fn is_on(&self, group: Group) -> bool {
        !self.off.borrow().contains(&group)
    }
}
