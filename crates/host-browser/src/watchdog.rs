//! [`Watchdog`] on `chrome.alarms`, which start a worker that Chrome has killed. `worker_boot.js`
//! receives both alarms and wakes the core.
//!
//! While the watchdog is armed, the boot script also calls an API of Chrome every 20 s. Otherwise
//! Chrome would kill a worker that only waits for a slow server.

use super::chrome;
use gloss_host::Watchdog;
use js_sys::{Object, Reflect};
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
        // If Chrome refuses the alarm, the timers are checked at the next wake-up.
        let asked = match at_ms {
            Some(at_ms) => {
                let when = Object::new();
                let set = Reflect::set(&when, &"when".into(), &(at_ms as f64).into());
                set.and_then(|_| chrome::create_alarm(TIMER, &when))
            }
            None => chrome::clear_alarm(TIMER),
        };
        if let Ok(asked) = asked {
            // The promise is converted to a future, so that a rejection counts as handled.
            drop(JsFuture::from(asked));
        }
    }
}
