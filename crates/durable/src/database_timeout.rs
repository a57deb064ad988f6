//! The time limit for requests to a database, so that a database that never answers can't block a
//! run.

use super::{Clock, StoreError, within};

/// The time limit for one request to a database, in milliseconds.
pub const DATABASE_TIMEOUT_MS: u64 = 3_000;

/// Returns the database's answer if it arrives within [`DATABASE_TIMEOUT_MS`].
///
/// # Errors
/// The database's error, or [`StoreError::Denied`] if the time limit is exceeded. The request is
/// then dropped, but the database may still perform it.
pub async fn with_database_timeout<T>(
    clock: &dyn Clock,
    asked: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    let answer = within(clock, DATABASE_TIMEOUT_MS, asked).await;
    answer.unwrap_or_else(|| Err(timeout_error()))
}

pub(super) fn timeout_error() -> StoreError {
    StoreError::Denied {
        message: "the database does not respond".to_owned(),
    }
}
