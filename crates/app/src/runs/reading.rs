//! Reading a run's records.

use super::Runs;
use gloss_agent::{Failure, failure};
use gloss_durable::{Record, RunId};

impl Runs {
    /// Returns the records of a run so far.
    ///
    /// # Errors
    /// The run doesn't exist, or another worker drives it.
    pub(crate) async fn records(&self, run: &RunId) -> Result<Vec<Record>, Failure> {
        if !self.has_begun(run) {
            return Err(Failure::of_gone_conversation());
        }
        let journal = self.journal(run).ok_or_else(|| failure("run_elsewhere"))?;
        // The result includes records that are still in the buffer, so the buffer is written first.
        self.write_out(&journal).await;
        Ok(journal.read(<[Record]>::to_vec))
    }
}
