//! Time: the machine's clock, and work with a time limit.

use super::Fut;
use futures::future::{Either, select};
use std::pin::pin;

/// The machine's time. A run's code reads the time only in recorded steps, because a replay must
/// see the same time.
pub trait Clock {
    /// Returns the time in milliseconds since the Unix epoch.
    fn now_ms(&self) -> u64;
    /// Returns the month of the user's calendar: twelve times the year, plus 0 for January to 11
    /// for December.
    fn month(&self) -> u32;
    /// Resolves after `ms` milliseconds. If the worker ends earlier, the future never resolves.
    fn sleep(&self, ms: u64) -> Fut<()>;
}

/// Returns the result of `work`, or `None` if `work` takes longer than `ms` milliseconds. After a
/// timeout, `work` is dropped, which cancels it. If `work` is ready at the very moment of the
/// limit, its result is returned.
pub async fn within<T>(clock: &dyn Clock, ms: u64, work: impl Future<Output = T>) -> Option<T> {
    match select(pin!(work), clock.sleep(ms)).await {
        Either::Left((done, _)) => Some(done),
        Either::Right(((), _)) => None,
    }
}
