//! What is recorded of a run, for those who read it.

use super::Runs;
use gloss_agent::{Failure, failure};
use gloss_durable::{Record, RunId};

impl Runs {
    /// A run's records so far.
    ///
    /// # Errors
    /// When there is no such run, or another worker is at it.
    pub(crate) async fn records(&self, run: &RunId) -> Result<Vec<Record>, Failure> {
        if !self.has_begun(run) {
            return Err(Failure::of_gone_conversation());
        }
        let journal = self.journal(run).ok_or_else(|| failure("run_elsewhere"))?;
        // What was noted and is on its way belongs to it too.
        self.write_out(&journal).await;
        Ok(journal.read(<[Record]>::to_vec))
    }
}
