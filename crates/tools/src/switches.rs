//! The person's switches over groups of tools, as they stand at this moment.
//!
//! Driving example: a run is in its third step when the person turns *Web search* off. What it
//! asks the web for from then on is not asked for, whatever the run was given when it began;
//! its model is told, and goes on without. Only effects look here: what they found is recorded.

use super::{Group, ToolError};
use gloss_durable::sorted::SortedSet;
use std::cell::RefCell;

/// Which groups are off; one for each worker.
#[derive(Debug, Default)]
pub struct Switches {
    off: RefCell<SortedSet<Group>>,
}

impl Switches {
    /// Heeds that these are off, and all others on: at once, in runs at work too.
    pub fn set(&self, off: SortedSet<Group>) {
        self.off.replace(off);
    }

    /// Whether the person lets this group do anything now.
    ///
    /// # Errors
    /// When they do not: what a model is told of it.
    pub(super) fn allow(&self, group: Group) -> Result<(), ToolError> {
        if self.is_on(group) {
            Ok(())
        } else {
            Err(ToolError::TurnedOff { group })
        }
    }

    /// Whether this group is on now.
    pub fn is_on(&self, group: Group) -> bool {
        !self.off.borrow().contains(&group)
    }
}
