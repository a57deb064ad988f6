//! Large bodies: put away once under their hash (DESIGN, rule 7), by a database that
//! may refuse, or hang.

use super::fingerprint::content_hash;
use super::patience::patiently;
use super::{Body, Entry, Journal, Record, StoreError};
use serde_json::Value;

/// Bodies over this many bytes live once among the blobs (DESIGN, rule 7).
const INLINE_BYTES: usize = 32 * 1024;

/// The hashes of the large bodies that records name.
pub fn bodies_named(records: &[Record]) -> Vec<String> {
    let named = records.iter().filter_map(|record| match &record.entry {
        Entry::Outcome {
            body: Body::Blob(hash),
        } => Some(hash.clone()),
        _ => None,
    });
    named.collect()
}

impl Journal {
    /// The large bodies that this worker's lives have put away, and their sizes in
    /// bytes; their records may be to come.
    pub fn kept(&self) -> Vec<(String, u64)> {
        self.state.borrow().kept.clone()
    }

    /// A value as it is recorded; `json` is its text. A large one stays in the record
    /// where the database is denied or does not answer: the session takes it, or says
    /// that it is full. A body for which there is no room poisons the journal as a
    /// batch does: parallel branches must not go on.
    ///
    /// # Errors
    /// The database's refusal.
    pub(super) async fn keep(&self, json: String, value: Value) -> Result<Body, StoreError> {
        if json.len() <= INLINE_BYTES {
            return Ok(Body::Inline(value));
        }
        let hash = content_hash(&json);
        let named = (hash.clone(), json.len() as u64);
        // Before it is there, so that nobody sweeps it away before it is recorded.
        self.state.borrow_mut().kept.push(named.clone());
        match patiently(&*self.clock, self.blobs.put(&hash, json)).await {
            Ok(()) => Ok(Body::Blob(hash)),
            Err(StoreError::Denied { .. }) => {
                let kept = &mut self.state.borrow_mut().kept;
                if let Some(place) = kept.iter().rposition(|kept| *kept == named) {
                    kept.remove(place);
                }
                Ok(Body::Inline(value))
            }
            Err(error) => {
                let mut state = self.state.borrow_mut();
                state.poison.get_or_insert_with(|| error.clone());
                Err(error)
            }
        }
    }

    /// The text of a large body; `None` if it is gone.
    ///
    /// # Errors
    /// When the database refuses, or does not answer.
    pub(super) async fn body(&self, hash: &str) -> Result<Option<String>, StoreError> {
        patiently(&*self.clock, self.blobs.get(hash)).await
    }
}
