//! Continues a run after an update of Gloss changed the code.
//!
//! If the new code can replay the run's records, the run continues as before. Otherwise the run
//! starts over with the same goal, and the earlier results become part of its context. A run starts
//! over at most once for each revision of the code. If the revision that recorded a run can't
//! replay the run, the run is reported as damaged.

use super::{REVISION, Runs};
use gloss_agent::{Ending, gather};
use gloss_durable::{Body, Entry, Halt, Journal, Path, Record, revision};

impl Runs {
    /// Starts a run over if it halted because another revision of the code made its records.
    /// Returns false if the run halted for another reason.
    pub(super) async fn continue_afresh(
        &self,
        journal: &Journal,
        result: &Result<Ending, Halt>,
    ) -> bool {
        let Err(Halt::Diverged { path } | Halt::Unreadable { path, .. }) = result else {
            return false;
        };
        if *path == Path::root() || journal.read(|records| revision(records) == Some(REVISION)) {
            return false;
        }
        let mut records = journal.read(<[Record]>::to_vec);
        for record in &mut records {
            self.unfold(record).await;
        }
        let (gathered, keeps) = gather(&records, path);
        let renewed = Entry::Restarted {
            revision: REVISION.to_owned(),
            gathered: serde_json::to_value(gathered).unwrap_or_default(),
            keeps,
        };
        journal.mark(&Path::root(), renewed);
        true
    }

    /// Replaces the reference to a large body in a record by the body itself. If the body is no
    /// longer stored, or the disk doesn't return it in time, the reference stays. The restarted run
    /// then doesn't get the body.
    async fn unfold(&self, record: &mut Record) {
        if let Entry::Outcome { body } = &mut record.entry
            && let Body::Blob(hash) = &*body
            && let Ok(Some(json)) = self.within(self.host.blobs.get(hash)).await
            && let Ok(value) = serde_json::from_str(&json)
        {
            *body = Body::Inline(value);
        }
    }
}
