//! Removes all runs from the hub.

use super::{Hub, send};

impl Hub {
    /// Removes every run and warning, and sends every surface the resulting empty snapshot.
    pub(crate) fn erase(&self) {
        let mut state = self.state.borrow_mut();
        state.runs.clear();
        state.conversations.clear();
        state.current.clear();
        state.warnings.clear();
        let outgoing = self.snapshots(&state, |_| true);
        drop(state);
        send(outgoing);
    }
}
