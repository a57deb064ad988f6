//! The time limit of a database, so that a database that hangs doesn't hang a run.

use super::{Clock, StoreError, within};

/// The time limit for a database's answer, in milliseconds.
pub const DATABASE_TIMEOUT_MS: u64 = 3_000;

/// Returns a database's answer, if it comes in time.
///
/// # Errors
/// The database's refusal, or [`StoreError::Denied`] if it doesn't answer within [`PATIENCE_MS`].
/// The request is dropped then, but may still be carried out.
pub async fn with_database_timeout<T>(
    clock: &dyn Clock,
    asked: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    let answer = within(clock, DATABASE_TIMEOUT_MS, asked).await;
    answer.unwrap_or_else(|| Err(timeout_error()))
}

/// The error for a database that doesn't answer.
pub(super) fn timeout_error() -> StoreError {
    StoreError::Denied {
        message: "the database does not respond".to_owned(),
    }
}
