//! Pausing a run, and letting a halted one go on.
//!
//! A pause is a stop that does not end the run: what is in flight is dropped and
//! cancelled, that is noted, and nothing drives the run until the person lets it
//! go on. No worker, lock or alarm is held meanwhile.

use super::{Runs, Standing};
use gloss_agent::Ending;
use gloss_durable::{Entry, Halt, Journal, Path, RunId, Stop, halted_by, is_parked, was_stopped};

impl Runs {
    /// Pauses a run: at its next await, or where it stands if nothing drives it.
    /// One that has ended, is paused, or is another worker's stays as it is.
    pub(crate) async fn pause(&self, run: &RunId) {
        let journal = {
            let mut runs = self.known.borrow_mut();
            let Some(known) = runs.get_mut(run) else {
                return;
            };
            match known.standing {
                Standing::Driven => {
                    known.wants_on = false;
                    known.journal.stop(Stop::Pause);
                    return;
                }
                Standing::New | Standing::Recovered if !known.can_be_driven() => return,
                Standing::New | Standing::Recovered | Standing::Parked => {
                    known.journal.mark(&Path::root(), Entry::halt(Stop::Pause));
                    known.standing = Standing::Paused;
                }
                Standing::Paused | Standing::Idle | Standing::Elsewhere => return,
            }
            known.journal.clone()
        };
        self.write_out(&journal).await;
        // A browser that ends now must find it paused.
        self.put_away(run).await;
    }

    /// Lets a halted run go on from where it stood; false if there is nothing to
    /// drive. One that is still coming to its halt goes on after that.
    pub(crate) async fn reopen(&self, run: &RunId) -> bool {
        let journal = {
            let mut runs = self.known.borrow_mut();
            let Some(known) = runs.get_mut(run) else {
                return false;
            };
            if known.is_driven() {
                known.wants_on = known.journal.stop_asked().is_some();
                return false;
            }
            known.wants_on = false;
            if known.standing == Standing::Elsewhere || !known.journal.read(was_stopped) {
                return false;
            }
            known.journal = known.journal.next_life();
            known.journal.mark(&Path::root(), Entry::Continued);
            known.standing = if known.journal.read(is_parked) {
                Standing::Parked
            } else {
                Standing::New
            };
            known.journal.clone()
        };
        self.write_out(&journal).await;
        self.undescribe(run).await;
        true
    }

    /// Lets a run go on whose drive has just come to the halt that the person took
    /// back meanwhile; false if nobody did.
    pub(crate) async fn reopen_again(&self, run: &RunId) -> bool {
        let wants_on = self
            .known
            .borrow()
            .get(run)
            .is_some_and(|known| known.wants_on);
        wants_on && self.reopen(run).await
    }

    /// Whether a drive left its run paused. A stop that came while it was being
    /// paused is noted, and ends it.
    pub(super) fn is_held(journal: &Journal, result: &Result<Ending, Halt>) -> bool {
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
