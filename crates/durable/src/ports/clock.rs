//! Time: the machine's clock, and work with a time limit.

use super::Fut;
use futures::future::{Either, select};
use std::pin::pin;

/// Time as the machine tells it. Read only within a journalled step, or to
/// stamp a record.
pub trait Clock {
    /// Milliseconds since the Unix epoch.
    fn now_ms(&self) -> u64;
    /// The month of the user's calendar, counted from that of the year 0: twelve times
    /// the year, and 0 in January.
    fn month(&self) -> u32;
    /// Resolves after `ms` milliseconds of this life.
    fn sleep(&self, ms: u64) -> Fut<()>;
}

/// The result of `work`, or `None` if it takes longer than `ms` milliseconds; it is cancelled
/// then, by being dropped. Work that is ready when the limit is reached is in time.
pub async fn within<T>(clock: &dyn Clock, ms: u64, work: impl Future<Output = T>) -> Option<T> {
    match select(pin!(work), clock.sleep(ms)).await {
        Either::Left((done, _)) => Some(done),
        Either::Right(((), _)) => None,
    }
}
