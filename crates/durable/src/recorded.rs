//! What any run's journal says at one of its places, whoever asks.
//!
//! Driving example: a follow-up recalls a page that the turn before it read. That turn's
//! journal stands in the archive, or in the session where nothing is filed. Nothing is driven
//! and nothing noted: it is part of a step of the run that asks.

use super::{Body, Entry, Ports, RunId, StoreError, StoredBatch, patiently, read_batches};
use serde_json::Value;

/// Reads what is recorded.
#[derive(Clone)]
pub struct Recorded {
    ports: Ports,
}

impl Recorded {
    /// Of all that is stored there.
    pub fn of(ports: &Ports) -> Self {
        Self {
            ports: ports.clone(),
        }
    }

    /// What a record holds: a configuration, a message or an outcome, in this order of the
    /// places that have any. `None` if the run is not there any more, or what is there of it
    /// makes no sense.
    ///
    /// # Errors
    /// When the disk refuses or does not answer: it may be there.
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
            Entry::Begun { brief: value, .. }
            | Entry::Arrived { body: value, .. }
            | Entry::Outcome {
                body: Body::Inline(value),
            } => Some(value),
            Entry::Outcome {
                body: Body::Blob(hash),
            } => {
                let asked = self.ports.blobs.get(&hash);
                let body = patiently(&*self.ports.clock, asked).await?;
                body.and_then(|body| serde_json::from_str(&body).ok())
            }
            _ => None,
        })
    }

    async fn filed(&self, run: &RunId) -> Result<Vec<StoredBatch>, StoreError> {
        let Some(archive) = &self.ports.archive else {
            return Ok(Vec::new());
        };
        match patiently(&*self.ports.clock, archive.load(run)).await {
            // What makes no sense makes none when it is read again.
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
