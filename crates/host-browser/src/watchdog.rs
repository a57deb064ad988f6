//! [`Watchdog`]: `chrome.alarms`, which wake a worker that Chrome has killed. Both ring
//! in `worker_boot.js`, which wakes the core whichever it was.
//!
//! The boot script adds a courtesy: while it is armed, an API call every 20 s
//! keeps Chrome from killing a worker that only waits for a slow first byte.

use super::chrome;
use gloss_host::Watchdog;
use js_sys::{Object, Reflect};
use wasm_bindgen_futures::JsFuture;

/// The alarm for what waits for a time.
const TIMER: &str = "timer";

/// An alarm every half minute, and one for a time.
pub(super) struct Alarm;

impl Watchdog for Alarm {
    fn arm(&self) {
        chrome::watch(true);
    }

    fn disarm(&self) {
        chrome::watch(false);
    }

    fn ring_at(&self, at_ms: Option<u64>) {
        // Refused, it is missed: the next wake-up, whatever it is, makes up for it.
        let asked = match at_ms {
            Some(at_ms) => {
                let when = Object::new();
                let set = Reflect::set(&when, &"when".into(), &(at_ms as f64).into());
                set.and_then(|_| chrome::create_alarm(TIMER, &when))
            }
            None => chrome::clear_alarm(TIMER),
        };
        if let Ok(asked) = asked {
            // Handled, so that no rejection is left unheard.
            drop(JsFuture::from(asked));
        }
    }
}
