//! Work with a time limit.

use gloss_durable::within;
use gloss_host_sim::Sim;
use std::cell::Cell;

/// A guard that records that it was dropped.
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
        // Work that is ready at once succeeds even with a limit of 0 ms.
        within(&*clock, 0, async { 1 }).await
    });
    assert_eq!(given, Some(Some(1)));
}
