//! Waiting before a retry: a short one is an effect, a long one holds no worker.

use crate::run::Step;
use gloss_durable::{Call, Class, Clock, Effect, Fingerprint, Fut, Halt};
use std::rc::Rc;

/// From here on a wait parks the run: a packed extension's alarm rings no sooner, and
/// Chrome kills a worker that is idle for as long.
const PARKS_MS: u64 = 30_000;

/// Waits for some active time; a new life waits anew.
pub(crate) struct Wait {
    pub(crate) ms: u64,
    pub(crate) clock: Rc<dyn Clock>,
}

impl Effect for Wait {
    type Outcome = ();

    const KIND: &'static str = "wait";

    fn class(&self) -> Class {
        Class::Safe
    }

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_value(&self.ms)
    }

    fn perform(self, _call: Call) -> Fut<Self::Outcome> {
        self.clock.sleep(self.ms)
    }
}

impl Step {
    /// Waits for `ms` milliseconds, with the worker or without.
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
