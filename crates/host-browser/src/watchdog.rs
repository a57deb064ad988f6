//! [`Watchdog`] on `chrome.alarms`, which wake a worker that Chrome has killed. Both alarms fire in
//! `worker_boot.js`, which wakes the core.
//!
//! While the watchdog is armed, the boot script also calls an API every 20 s, so that Chrome
//! doesn't kill a worker that only waits for a slow first byte.

use super::chrome;
use gloss_host::Watchdog;
use js_sys::{Object, Reflect};
use wasm_bindgen_futures::JsFuture;

/// The name of the timer alarm.
const TIMER: &str = "timer";

/// The two alarms: every half minute, and at a given time.
pub(super) struct Alarm;

impl Watchdog for Alarm {
    fn arm(&self) {
        chrome::watch(true);
    }

    fn disarm(&self) {
        chrome::watch(false);
    }

    fn ring_at(&self, at_ms: Option<u64>) {
        // If Chrome refuses the alarm, the next wake-up makes up for it.
        let asked = match at_ms {
            Some(at_ms) => {
                let when = Object::new();
                let set = Reflect::set(&when, &"when".into(), &(at_ms as f64).into());
                set.and_then(|_| chrome::create_alarm(TIMER, &when))
            }
            None => chrome::clear_alarm(TIMER),
        };
        if let Ok(asked) = asked {
            // Turned into a future, so that a rejection counts as handled.
            drop(JsFuture::from(asked));
        }
    }
}
