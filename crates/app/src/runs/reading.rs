//! Reads a run's records.

use super::Runs;
use gloss_agent::{Failure, failure};
use gloss_durable::{Record, RunId};

impl Runs {
    /// Returns the records of a run so far.
    ///
    /// # Errors
    /// The run doesn't exist, or another worker executes it.
    pub(crate) async fn records(&self, run: &RunId) -> Result<Vec<Record>, Failure> {
        if !self.has_begun(run) {
            return Err(Failure::of_gone_conversation());
        }
        let journal = self.journal(run).ok_or_else(|| failure("run_elsewhere"))?;
        // Buffered records are written first, so that no record is returned that could still be lost.
        self.write_out(&journal).await;
        Ok(journal.read(<[Record]>::to_vec))
    }
}
