//! Large bodies: recorded values that are too large for a record, such as the text of a page. Each
//! body is stored once, under its hash, in a database that may refuse a request or never answer.

use super::database_timeout::with_database_timeout;
use super::fingerprint::content_hash;
use super::{Body, Entry, Journal, Record, StoreError};
use serde_json::Value;

/// Bodies of more bytes than this are stored in the database instead of in the record.
const INLINE_BYTES: usize = 32 * 1024;

/// Returns the hashes of the large bodies that these records refer to.
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
    /// Returns the hashes, and the sizes in bytes, of the large bodies that this worker has stored.
    /// The records that refer to these bodies may not be written yet.
    pub fn stored_bodies(&self) -> Vec<(String, u64)> {
        self.state.borrow().kept.clone()
    }

    /// Returns `value` in the form in which it is recorded; `json` is the value's JSON text. A
    /// large value is stored in the database. If the database denies access or doesn't answer, the
    /// value is stored in the record.
    ///
    /// If the database is full, the journal is poisoned, so that parallel branches of the run stop
    /// too.
    ///
    /// # Errors
    /// The database is full, or reports another error than [`StoreError::Denied`].
    pub(super) async fn keep(&self, json: String, value: Value) -> Result<Body, StoreError> {
        if json.len() <= INLINE_BYTES {
            return Ok(Body::Inline(value));
        }
        let hash = content_hash(&json);
        let named = (hash.clone(), json.len() as u64);
        // A clean-up removes bodies that no record refers to, except those in `kept`. The hash is
        // therefore added to `kept` before the body is stored.
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

    /// Returns the text of a large body; `None` if the database no longer contains it.
    ///
    /// # Errors
    /// The database reports an error or doesn't answer.
    pub(super) async fn body(&self, hash: &str) -> Result<Option<String>, StoreError> {
        with_database_timeout(&*self.clock, self.blobs.get(hash)).await
    }
}
