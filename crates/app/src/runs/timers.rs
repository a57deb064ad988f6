//! Waits that end by themselves: one alarm for the earliest of all runs.
//!
//! They are checked at each birth, at each wake-up and whenever a drive ends, so that it does not
//! matter if the alarm rings late, early, twice or never.

use super::{RunState, Runs};
use gloss_durable::{Journal, RunId};
use std::rc::Rc;

impl Runs {
    /// Continues the runs whose wait is over, and sets the alarm for the next one.
    pub(crate) async fn resume_elapsed(&self) {
        let now_ms = self.host.clock.now_ms();
        let next = self
            .parked()
            .into_iter()
            .filter_map(|(_, journal)| journal.elapse(now_ms));
        let next = next.min();
        // Set each time, because an alarm that rang early is gone.
        if self.alarm_may_be_set.replace(next.is_some()) || next.is_some() {
            self.host.watchdog.ring_at(next);
        }
        for (run, journal) in self.parked() {
            self.write_out(&journal).await;
            self.unpark(&run);
        }
    }

    fn parked(&self) -> Vec<(RunId, Rc<Journal>)> {
        let runs = self.known.borrow();
        let parked = runs
            .iter()
            .filter(|(_, run)| run.standing == RunState::Parked);
        parked
            .map(|(id, run)| (id.clone(), run.journal.clone()))
            .collect()
    }
}
