//! [`Clock`]: the machine's time and its timers.

use super::super::{Clock, Fut};
use super::chrome::{self, Held};
use wasm_bindgen_futures::JsFuture;

/// `setTimeout`'s bound: a longer wait would end at once.
const LONGEST_MS: u64 = i32::MAX as u64;

/// `Date.now` and `setTimeout`.
pub(super) struct WallClock;

impl Clock for WallClock {
    fn now_ms(&self) -> u64 {
        js_sys::Date::now() as u64
    }

    fn sleep(&self, ms: u64) -> Fut<()> {
        let timer = Timer(chrome::sleep(ms.min(LONGEST_MS) as f64));
        Box::pin(async move {
            // It has no way to fail.
            let _ = JsFuture::from(timer.0.done()).await;
        })
    }
}

/// Cleared when the sleeper goes away.
struct Timer(Held);

impl Drop for Timer {
    fn drop(&mut self) {
        self.0.release();
    }
}
