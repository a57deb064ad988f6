//! Limits the number of concurrent model calls (DETAILS §7). Further calls wait.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

const MOST: u32 = 4;

#[derive(Default)]
pub(super) struct ConcurrencyLimit {
    taken: Cell<u32>,
    waiting: RefCell<Vec<Waker>>,
}

/// The permit of an active call. Dropping the permit lets another call start.
pub(crate) struct Permit(Rc<ConcurrencyLimit>);

impl ConcurrencyLimit {
    /// Waits for a permit.
    pub(super) async fn take(places: &Rc<Self>) -> Permit {
        poll_fn(|cx| {
            if places.taken.get() < MOST {
                places.taken.set(places.taken.get() + 1);
                return Poll::Ready(Permit(places.clone()));
            }
            places.waiting.borrow_mut().push(cx.waker().clone());
            Poll::Pending
        })
        .await
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.taken.set(self.0.taken.get().saturating_sub(1));
        // All waiting calls are woken, because the first of them may have been dropped. They are
        // polled in order.
        for waker in self.0.waiting.take() {
            waker.wake();
        }
    }
}
