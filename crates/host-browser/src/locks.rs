//! [`Locks`]: the Web Locks of the extension's origin, shared by all its workers.
//!
//! A browser without Web Locks grants every lock: one worker at a time is then
//! Chrome's promise alone.

use super::chrome::{self, Held};
use gloss_durable::{Fut, RunId};
use gloss_host::{LockGuard, Locks};
use std::rc::Rc;
use wasm_bindgen_futures::JsFuture;

/// `navigator.locks`, asked with `ifAvailable`.
pub(super) struct WebLocks;

impl Locks for WebLocks {
    fn acquire(&self, run: &RunId) -> Fut<Option<LockGuard>> {
        let held: Rc<Held> = Rc::new(chrome::lock(&format!("run/{run}")));
        // Made before the wait: whoever stops waiting lets go, too.
        let guard = LockGuard::new({
            let held = held.clone();
            move || held.release()
        });
        Box::pin(async move {
            let granted = JsFuture::from(held.done()).await;
            granted
                .is_ok_and(|granted| granted.is_truthy())
                .then_some(guard)
        })
    }
}
