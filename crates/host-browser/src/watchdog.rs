//! [`Watchdog`] on `chrome.alarms`. An alarm starts a worker that Chrome has killed.
//! `worker_boot.js` receives both alarms and wakes the core.
//!
//! While the watchdog is armed, the boot script also calls a Chrome API every 20 s. Without these
//! calls, Chrome would kill a worker that only waits for a slow server.

use super::chrome;
use super::object::object;
use gloss_host::Watchdog;
use wasm_bindgen_futures::JsFuture;

const TIMER: &str = "timer";

/// The two alarms: one every 30 s, and one at a given time.
pub(super) struct Alarm;

impl Watchdog for Alarm {
    fn arm(&self) {
        chrome::watch(true);
    }

    fn disarm(&self) {
        chrome::watch(false);
    }

    fn ring_at(&self, at_ms: Option<u64>) {
        // If Chrome refuses the alarm, the next wake-up of the worker checks the timers.
        let asked = match at_ms {
            Some(at_ms) => chrome::create_alarm(TIMER, &object(&[("when", (at_ms as f64).into())])),
            None => chrome::clear_alarm(TIMER),
        };
        if let Ok(asked) = asked {
            // A rejection of the promise counts as handled if the promise was converted to a
            // future.
            drop(JsFuture::from(asked));
        }
    }
}
