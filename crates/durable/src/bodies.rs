//! Large bodies: stored once under their hash (DESIGN, rule 7), in a database that may refuse or
//! hang.

use super::database_timeout::with_database_timeout;
use super::fingerprint::content_hash;
use super::{Body, Entry, Journal, Record, StoreError};
use serde_json::Value;

/// Bodies over this many bytes are stored among the blobs (DESIGN, rule 7).
const INLINE_BYTES: usize = 32 * 1024;

/// The hashes of the large bodies that records name.
pub fn body_hashes(records: &[Record]) -> Vec<String> {
    let named = records.iter().filter_map(|record| match &record.entry {
        Entry::Outcome {
            body: Body::Blob(hash),
        } => Some(hash.clone()),
        _ => None,
    });
    named.collect()
}

impl Journal {
    /// The hashes and sizes in bytes of the large bodies that this worker's lives have stored. The
    /// records that name them may not be written yet.
    pub fn kept(&self) -> Vec<(String, u64)> {
        self.state.borrow().kept.clone()
    }

    /// Returns `value` as it is to be recorded; `json` is its text. A large value goes to the
    /// blobs. It stays in the record if the database is denied or doesn't answer, and then session
    /// storage accepts it or reports that it is full.
    ///
    /// A full database poisons the journal, as a refused batch does, so that parallel branches stop
    /// too.
    ///
    /// # Errors
    /// The database's refusal.
    pub(super) async fn keep(&self, json: String, value: Value) -> Result<Body, StoreError> {
        if json.len() <= INLINE_BYTES {
            return Ok(Body::Inline(value));
        }
        let hash = content_hash(&json);
        let named = (hash.clone(), json.len() as u64);
        // Listed before it is stored, so that no clean-up removes it before its record is written.
        self.state.borrow_mut().kept.push(named.clone());
        match with_database_timeout(&*self.clock, self.blobs.put(&hash, json)).await {
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

    /// Returns the text of a large body; `None` if it is gone.
    ///
    /// # Errors
    /// The database refuses or doesn't answer.
    pub(super) async fn body(&self, hash: &str) -> Result<Option<String>, StoreError> {
        with_database_timeout(&*self.clock, self.blobs.get(hash)).await
    }
}
