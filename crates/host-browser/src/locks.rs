//! [`Locks`] on the Web Locks of the extension's origin, which all its workers share.
//!
//! A browser without Web Locks grants every lock; then only Chrome's rule of one worker at a time
//! protects a run.

use super::chrome::{self, Held};
use gloss_durable::{Fut, RunId};
use gloss_host::{LockGuard, Locks};
use std::rc::Rc;
use wasm_bindgen_futures::JsFuture;

/// Locks from `navigator.locks`, requested with `ifAvailable`.
pub(super) struct WebLocks;

impl Locks for WebLocks {
    fn acquire(&self, run: &RunId) -> Fut<Option<LockGuard>> {
        let held: Rc<Held> = Rc::new(chrome::lock(&format!("run/{run}")));
        // Created before the wait, so that a caller who stops waiting releases the lock too.
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
