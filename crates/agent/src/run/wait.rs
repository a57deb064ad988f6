//! Waits before a retry. A short wait is an effect. During a long wait, the run is parked and needs
//! no worker.

use crate::run::Step;
use gloss_durable::{Call, Class, Clock, Effect, Fingerprint, Fut, Halt};
use std::rc::Rc;

/// The shortest wait that parks the run, in milliseconds. An alarm of an installed extension can't
/// fire sooner, and Chrome stops a worker that is idle for 30 seconds.
const PARKS_MS: u64 = 30_000;

/// Waits while the worker is alive. A new life of the worker starts the wait from the beginning.
pub(crate) struct Wait {
    pub(crate) ms: u64,
    pub(crate) clock: Rc<dyn Clock>,
}

impl Effect for Wait {
    type Outcome = ();

    const KIND: &'static str = "wait";
    const CLASS: Class = Class::Safe;

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_value(&self.ms)
    }

    fn perform(self, _call: Call) -> Fut<Self::Outcome> {
        self.clock.sleep(self.ms)
    }
}

impl Step {
    /// Waits for `ms` milliseconds. A long wait parks the run.
    pub(crate) async fn wait(
        &self,
        segment: &str,
        ms: u64,
        clock: &Rc<dyn Clock>,
    ) -> Result<(), Halt> {
        if ms >= PARKS_MS {
            return self.ctx.timer(segment, ms).await;
        }
        let clock = clock.clone();
        self.ctx.step(segment, Wait { ms, clock }).await
    }
}
