//! How long a database may take to answer: one that hangs must not hang a run.

use super::{Clock, StoreError, within};

/// How long a database may take to answer, in milliseconds.
pub const PATIENCE_MS: u64 = 3_000;

/// What a database answers, if it does so in time.
///
/// # Errors
/// Its refusal; [`StoreError::Denied`] in words if it did not answer within
/// [`PATIENCE_MS`]. What was asked is dropped then, and may still come about.
pub async fn patiently<T>(
    clock: &dyn Clock,
    asked: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    let answer = within(clock, PATIENCE_MS, asked).await;
    answer.unwrap_or_else(|| Err(unanswered()))
}

/// What is said of a database that did not answer.
pub(super) fn unanswered() -> StoreError {
    StoreError::Denied {
        message: "the database does not respond".to_owned(),
    }
}
