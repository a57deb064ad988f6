//! Time: the machine's clock, and work with a time limit.

use super::Fut;
use futures::future::{Either, select};
use std::pin::pin;

/// The machine's time. Read only within a recorded step, or to stamp a record.
pub trait Clock {
    /// The time in milliseconds since the Unix epoch.
    fn now_ms(&self) -> u64;
    /// The month of the user's calendar as twelve times the year plus the month, which is 0 in
    /// January.
    fn month(&self) -> u32;
    /// Resolves after `ms` milliseconds, if the worker lives that long.
    fn sleep(&self, ms: u64) -> Fut<()>;
}

/// Returns the result of `work`, or `None` if it takes longer than `ms` milliseconds; `work` is
/// then dropped, which cancels it. Work that is ready when the limit is reached is in time.
pub async fn within<T>(clock: &dyn Clock, ms: u64, work: impl Future<Output = T>) -> Option<T> {
    match select(pin!(work), clock.sleep(ms)).await {
        Either::Left((done, _)) => Some(done),
        Either::Right(((), _)) => None,
    }
}
