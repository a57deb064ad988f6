//! [`Watchdog`]: `chrome.alarms`, which wake a worker that Chrome has killed.
//!
//! The boot script adds a courtesy: while it is armed, an API call every 20 s
//! keeps Chrome from killing a worker that only waits for a slow first byte.

use super::super::Watchdog;
use super::chrome;

/// An alarm every half minute.
pub(super) struct Alarm;

impl Watchdog for Alarm {
    fn arm(&self) {
        chrome::watch(true);
    }

    fn disarm(&self) {
        chrome::watch(false);
    }
}
