//! Erasing every run: nothing may write behind it.

use super::{Runs, Standing};
use crate::durable::Stop;
use crate::host::{RunId, StoreError};
use std::collections::BTreeSet;

/// How long a stopped run is given at a time to write its end, in milliseconds.
const A_MOMENT_MS: u64 = 20;

impl Runs {
    /// Stops what is at work, waits for its last write, and erases everything.
    ///
    /// # Errors
    /// When storage refuses; what it did erase is gone.
    pub(in crate::app) async fn erase(&self) -> Result<(), StoreError> {
        for run in self.ids(|_| true) {
            self.stop(&run, Stop::User);
        }
        // Ended within one await of its drive: effects in flight are dropped.
        while !self.ids(|standing| standing == Standing::Driven).is_empty() {
            self.host.clock.sleep(A_MOMENT_MS).await;
        }
        let stored = self.host.store.load_all().await?;
        let runs: BTreeSet<RunId> = stored.into_iter().map(|batch| batch.run).collect();
        for run in &runs {
            self.host.store.erase(run).await?;
        }
        self.host.blobs.retain(Vec::new()).await?;
        self.known.borrow_mut().clear();
        self.hub.erase();
        self.rest();
        Ok(())
    }

    fn ids(&self, wanted: impl Fn(Standing) -> bool) -> Vec<RunId> {
        let runs = self.known.borrow();
        let wanted = runs.iter().filter(|(_, run)| wanted(run.standing));
        wanted.map(|(id, _)| id.clone()).collect()
    }
}
