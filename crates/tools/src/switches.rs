//! The switches with which the user turns groups of tools off, with their current values.
//!
//! Example: a run is in its third step when the user turns *Web search* off. From then on,
//! the run sends no request to the web, although its configuration allowed it. The model reads in
//! the tool result that web search is off, and continues. Only effects may read the switches: their
//! outcomes are recorded, so a replay gives the same results.

use super::{Group, StandingApproval, ToolError};
use gloss_durable::sorted::SortedSet;
use std::cell::RefCell;

/// The groups of tools that are off. A worker has one instance.
#[derive(Debug, Default)]
pub struct Switches {
    off: RefCell<SortedSet<Group>>,
    /// The calls that the user always allows.
    always: RefCell<SortedSet<StandingApproval>>,
}

impl Switches {
    /// Replaces the groups that are off. The change applies to running runs immediately.
    pub fn set(&self, off: SortedSet<Group>) {
        self.off.replace(off);
    }

    /// Replaces the calls that the user always allows. The change applies to the next call of a
    /// running run.
    pub fn set_always_allowed(&self, always: SortedSet<StandingApproval>) {
        self.always.replace(always);
    }

    /// Returns true if the user always allows these calls.
    pub fn always_allows(&self, calls: &StandingApproval) -> bool {
        self.always.borrow().contains(calls)
    }

    /// Checks that a group is on.
    ///
    /// # Errors
    /// If the user turned the group off; the error is the tool result for the model.
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
