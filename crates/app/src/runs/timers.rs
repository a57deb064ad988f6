//! Waits that end at a given time. One alarm is set, for the earliest wait of all runs.
//!
//! The waits are also checked when the worker starts, at each wake-up, and when the execution of a
//! run stops. No run depends on the alarm alone, so a late, early, repeated or missing alarm does
//! no harm.

use super::{RunState, Runs};
use gloss_durable::{Journal, RunId};
use std::rc::Rc;

impl Runs {
    /// Continues the runs whose waits have ended, and sets the alarm for the next one.
    pub(crate) async fn resume_elapsed(&self) {
        let now_ms = self.host.clock.now_ms();
        let next = self
            .parked()
            .into_iter()
            .filter_map(|(_, journal)| journal.elapse(now_ms));
        let next = next.min();
        // The alarm is set each time, because Chrome removes an alarm that has fired.
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
