//! [`Clock`] on `Date.now` and `setTimeout`.

use gloo_timers::future::TimeoutFuture;
use gloss_durable::{Clock, Fut};

/// The browser's clock. Dropping a sleep clears its timer.
pub(super) struct WallClock;

impl Clock for WallClock {
    fn now_ms(&self) -> u64 {
        js_sys::Date::now() as u64
    }

    fn month(&self) -> u32 {
        let today = js_sys::Date::new_0();
        today.get_full_year() * 12 + today.get_month()
    }

    fn sleep(&self, ms: u64) -> Fut<()> {
        // `setTimeout` accepts at most this delay. With a longer delay, the timer would fire at
        // once.
        let ms = u32::try_from(ms).unwrap_or(u32::MAX).min(i32::MAX as u32);
        Box::pin(TimeoutFuture::new(ms))
    }
}
