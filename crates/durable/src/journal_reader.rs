//! Reads single records of any run's journal.
//!
//! Example: a follow-up question needs a page that the previous turn read. The journal of
//! the previous turn is in the archive, or in session storage if it is not archived yet. Reading
//! that journal is part of a step of the new run. The reader itself records nothing.

use super::{
    Body, Entry, Ports, RunId, StoreError, StoredBatch, read_batches, with_database_timeout,
};
use serde_json::Value;

/// A reader of recorded values.
#[derive(Clone)]
pub struct JournalReader {
    ports: Ports,
}

impl JournalReader {
    /// Creates a reader of the journals in the stores of `ports`.
    pub fn of(ports: &Ports) -> Self {
        Self {
            ports: ports.clone(),
        }
    }

    /// Returns the value in a record that contains a configuration, a message or an outcome.
    /// Returns `None` for other records, unknown runs, unreadable journals and bodies that are no
    /// longer stored.
    ///
    /// # Errors
    /// The store refuses or doesn't answer.
    pub async fn value(&self, run: &RunId, seq: u64) -> Result<Option<Value>, StoreError> {
        let (filed, unread) = match self.filed(run).await {
            Ok(filed) => (filed, None),
            Err(error) => (Vec::new(), Some(error)),
        };
        let entry = if let Some(entry) = at(filed.clone(), run, seq) {
            entry
        } else {
            let all = self.ports.store.load_all().await?;
            let own = all.into_iter().filter(|batch| batch.run == *run);
            match at(filed.into_iter().chain(own).collect(), run, seq) {
                Some(entry) => entry,
                None => return unread.map_or(Ok(None), Err),
            }
        };
        Ok(match entry {
            Entry::Begun { config: value, .. }
            | Entry::Arrived { body: value, .. }
            | Entry::Outcome {
                body: Body::Inline(value),
            } => Some(value),
            Entry::Outcome {
                body: Body::Blob(hash),
            } => {
                let asked = self.ports.blobs.get(&hash);
                let body = with_database_timeout(&*self.ports.clock, asked).await?;
                body.and_then(|body| serde_json::from_str(&body).ok())
            }
            _ => None,
        })
    }

    async fn filed(&self, run: &RunId) -> Result<Vec<StoredBatch>, StoreError> {
        let Some(archive) = &self.ports.archive else {
            return Ok(Vec::new());
        };
        match with_database_timeout(&*self.ports.clock, archive.load(run)).await {
            // A damaged journal counts as empty. An error would suggest a retry, which would fail
            // again.
            Err(StoreError::Corrupt { .. }) => Ok(Vec::new()),
            filed => filed,
        }
    }
}

fn at(batches: Vec<StoredBatch>, run: &RunId, seq: u64) -> Option<Entry> {
    let (_, records) = read_batches(batches).remove(run)?.ok()?;
    let place = usize::try_from(seq).ok()?;
    records.into_iter().nth(place).map(|record| record.entry)
}
