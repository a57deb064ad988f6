//! Runs whose first record could not be stored. Such a run is lost when the worker ends, so it is
//! not shown. The surface that started the run gets the user's text back.

use super::{RunState, Runs};
use gloss_agent::{Closing, Failure};
use gloss_durable::{Halt, Journal, RunId};
use std::rc::Rc;

impl Runs {
    /// Removes a run whose first record could not be stored, and returns the reason. Returns `None`
    /// if the record was stored.
    pub(crate) fn take_refused_start(&self, run: &RunId) -> Option<Failure> {
        let journal = self.unbegun(run)?;
        let source = journal.refusal()?;
        self.known.borrow_mut().remove(run);
        Some(Failure::of_halt(&Halt::Store { source }))
    }

    /// Shows a run as failed if its first record could not be stored. Used for runs that no surface
    /// started, because no surface can then show the failure.
    pub(crate) fn show_refused_start(&self, run: &RunId) {
        if let Some(journal) = self.unbegun(run)
            && let Some(source) = journal.refusal()
        {
            let closing = Closing::of(&Err(Halt::Store { source }));
            self.hub.close(&journal, &closing, self.host.clock.now_ms());
        }
    }

    fn unbegun(&self, run: &RunId) -> Option<Rc<Journal>> {
        let runs = self.known.borrow();
        let ended = runs.get(run).filter(|run| run.standing == RunState::Idle)?;
        let unbegun = !ended.journal.has_landed();
        unbegun.then(|| ended.journal.clone())
    }
}
