//! Pausing runs and continuing halted ones.
//!
//! A pause is a stop that does not end the run: what is in flight is cancelled, the pause is
//! recorded, and nothing drives the run until the user continues it. No worker, lock or alarm is
//! held meanwhile.

use super::{RunState, Runs};
use gloss_agent::Ending;
use gloss_durable::{Entry, Halt, Journal, Path, RunId, Stop, halted_by, is_parked, was_stopped};

impl Runs {
    /// Pauses a run: at its next await, or at once if nothing drives it. A run that has ended, is
    /// paused, or belongs to another worker stays unchanged.
    pub(crate) async fn pause(&self, run: &RunId) {
        let journal = {
            let mut runs = self.known.borrow_mut();
            let Some(known) = runs.get_mut(run) else {
                return;
            };
            match known.standing {
                RunState::Driven => {
                    known.continue_requested = false;
                    known.journal.stop(Stop::Pause);
                    return;
                }
                RunState::New | RunState::Recovered if !known.can_be_driven() => return,
                RunState::New | RunState::Recovered | RunState::Parked => {
                    known.journal.mark(&Path::root(), Entry::halt(Stop::Pause));
                    known.standing = RunState::Paused;
                }
                RunState::Paused | RunState::Idle | RunState::Elsewhere => return,
            }
            known.journal.clone()
        };
        self.write_out(&journal).await;
        // If the browser closes now, the run must be stored as paused.
        self.file(run).await;
    }

    /// Continues a halted run where it stopped; returns false if there is nothing to drive. A run
    /// that is still stopping continues after that.
    pub(crate) async fn continue_run(&self, run: &RunId) -> bool {
        let journal = {
            let mut runs = self.known.borrow_mut();
            let Some(known) = runs.get_mut(run) else {
                return false;
            };
            if known.is_driven() {
                known.continue_requested = known.journal.stop_asked().is_some();
                return false;
            }
            known.continue_requested = false;
            if known.standing == RunState::Elsewhere || !known.journal.read(was_stopped) {
                return false;
            }
            known.journal = known.journal.next_life();
            known.journal.mark(&Path::root(), Entry::Continued);
            known.standing = if known.journal.read(is_parked) {
                RunState::Parked
            } else {
                RunState::New
            };
            known.journal.clone()
        };
        self.write_out(&journal).await;
        self.undescribe(run).await;
        true
    }

    /// Continues a run if the user asked for it while its drive was stopping; returns false
    /// otherwise.
    pub(crate) async fn continue_if_requested(&self, run: &RunId) -> bool {
        let wants_on = self
            .known
            .borrow()
            .get(run)
            .is_some_and(|known| known.continue_requested);
        wants_on && self.continue_run(run).await
    }

    /// Returns true if a drive left its run paused. A stop that arrived during the pause is
    /// recorded and ends the run.
    pub(super) fn is_paused_after(journal: &Journal, result: &Result<Ending, Halt>) -> bool {
        if !matches!(result, Err(Halt::Stopped(_))) {
            return false;
        }
        let ends = |stop: Option<Stop>| stop.is_some_and(Stop::ends);
        if ends(journal.read(halted_by)) {
            return false;
        }
        if ends(journal.stop_asked()) {
            journal.mark(&Path::root(), Entry::halt(Stop::User));
            return false;
        }
        true
    }
}
