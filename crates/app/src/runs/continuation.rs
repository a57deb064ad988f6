//! Continuing a run after the code changed.
//!
//! As long as its records replay, the run continues as before. If they do not, earlier results
//! become the context of a fresh continuation with the same goal, once for each revision of the
//! code. A run that does not replay under the revision that wrote it is damaged, and is reported as
//! damaged.

use super::{REVISION, Runs};
use gloss_agent::{Ending, gather};
use gloss_durable::{Body, Entry, Halt, Journal, Path, Record, revision};

impl Runs {
    /// Renews a run that halted because its records come from other code; returns false if there
    /// was another reason.
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

    /// Puts a large body into its record. A body that is gone, or that the disk does not return in
    /// time, stays a reference and is not carried over.
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
