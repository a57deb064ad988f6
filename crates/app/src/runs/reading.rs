//! Reading a run's records.

use super::Runs;
use gloss_agent::{Failure, failure};
use gloss_durable::{Record, RunId};

impl Runs {
    /// The records of a run so far.
    ///
    /// # Errors
    /// The run doesn't exist, or another worker owns it.
    pub(crate) async fn records(&self, run: &RunId) -> Result<Vec<Record>, Failure> {
        if !self.has_begun(run) {
            return Err(Failure::of_gone_conversation());
        }
        let journal = self.journal(run).ok_or_else(|| failure("run_elsewhere"))?;
        // Records that are still in the buffer are included, so the buffer is written first.
        self.write_out(&journal).await;
        Ok(journal.read(<[Record]>::to_vec))
    }
}
