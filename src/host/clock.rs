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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::sim::Sim;
    use std::cell::Cell;

    /// Notes that it was dropped.
    struct Guard<'a>(&'a Cell<bool>);

    impl Drop for Guard<'_> {
        fn drop(&mut self) {
            self.0.set(true);
        }
    }

    #[test]
    fn work_that_takes_too_long_is_dropped_and_work_that_is_ready_counts() {
        let sim = Sim::new(1);
        let clock = sim.host().clock;
        let given = sim.life(u64::MAX, async {
            let dropped = Cell::new(false);
            let guard = Guard(&dropped);
            let slow = async {
                let _guard = guard;
                clock.sleep(2_000).await;
            };
            assert_eq!(within(&*clock, 1_000, slow).await, None);
            assert!(dropped.get());
            // Even with no time at all.
            within(&*clock, 0, async { 1 }).await
        });
        assert_eq!(given, Some(Some(1)));
    }
}
