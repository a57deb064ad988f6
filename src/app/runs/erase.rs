//! Erasing every run: nothing may write behind it.

use super::{Runs, Standing};
use crate::durable::Stop;
use crate::host::{RunId, StoreError};
use std::collections::BTreeSet;

/// How long stopped runs are given at a time to write their ends, in milliseconds.
const A_MOMENT_MS: u64 = 20;
/// How often. A stop drops what is in flight, so one moment is nearly always enough.
const MOMENTS: u32 = 100;

impl Runs {
    /// Stops what is at work, waits for its last write, and erases everything.
    ///
    /// # Errors
    /// When storage refuses; what it did erase is gone.
    pub(in crate::app) async fn erase(&self) -> Result<(), StoreError> {
        for _ in 0..MOMENTS {
            // Anew each time: a message left unread begins a turn of its own.
            let at_work = self.at_work();
            if at_work.is_empty() {
                break;
            }
            for run in &at_work {
                self.stop(run, Stop::User);
            }
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

    /// The runs that write, or will.
    fn at_work(&self) -> Vec<RunId> {
        let runs = self.known.borrow();
        let at_work = runs
            .iter()
            .filter(|(_, run)| run.standing == Standing::Driven || run.can_be_driven());
        at_work.map(|(id, _)| id.clone()).collect()
    }
}
