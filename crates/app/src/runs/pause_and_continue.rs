//! Pauses runs, and continues runs that were paused or stopped.
//!
//! A pause is a stop that doesn't end the run. Effects in flight are cancelled and the pause is
//! recorded. The run is not driven (executed) until the user continues it. A paused run needs no
//! worker, so the worker may end.

use super::{RunState, Runs};
use gloss_agent::Ending;
use gloss_durable::{Entry, Halt, Journal, Path, RunId, Stop, halted_by, is_parked, was_stopped};

impl Runs {
    /// Pauses a run. A run that is being driven pauses at its next await, other runs at once. Does
    /// nothing if the run has ended, is paused, or is driven by another worker.
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
        // The user may close the browser now, so the pause is written to disk at once.
        self.file(run).await;
    }

    /// Continues a paused or stopped run. Returns true if the caller must now drive the run. A run
    /// that is still stopping continues after it has stopped.
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

    /// Continues a run if the user asked for that while the run was stopping. Returns true if the
    /// caller must now drive the run.
    pub(crate) async fn continue_if_requested(&self, run: &RunId) -> bool {
        let wants_on = self
            .known
            .borrow()
            .get(run)
            .is_some_and(|known| known.continue_requested);
        wants_on && self.continue_run(run).await
    }

    /// Returns true if the drive that returned `result` ended with a pause. If the user stopped the
    /// run during the pause, the stop is recorded and the function returns false.
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
