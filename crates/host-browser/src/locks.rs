//! [`Locks`] on Web Locks. All workers of the extension share the locks.
//!
//! If the browser has no Web Locks, every lock is granted. Chrome runs only one worker at a time,
//! so even then only one worker can drive a run.

use super::chrome::{self, Held};
use gloss_durable::{Fut, RunId};
use gloss_host::{LockGuard, Locks};
use std::rc::Rc;
use wasm_bindgen_futures::JsFuture;

pub(super) struct WebLocks;

impl Locks for WebLocks {
    fn acquire(&self, run: &RunId) -> Fut<Option<LockGuard>> {
        let held: Rc<Held> = Rc::new(chrome::lock(&format!("run/{run}")));
        // The guard is created before the await. If the caller stops waiting, the guard is dropped
        // and the lock is released.
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
