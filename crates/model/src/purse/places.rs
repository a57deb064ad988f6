//! At most so many calls of models in flight (DETAILS §7); the others wait.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

/// The most calls in flight.
const MOST: u32 = 4;

#[derive(Default)]
pub(super) struct Places {
    taken: Cell<u32>,
    waiting: RefCell<Vec<Waker>>,
}

/// Held by a call in flight; dropped, another has it.
pub(crate) struct Place(Rc<Places>);

impl Places {
    /// A place, once one is free.
    pub(super) async fn take(places: &Rc<Self>) -> Place {
        poll_fn(|cx| {
            if places.taken.get() < MOST {
                places.taken.set(places.taken.get() + 1);
                return Poll::Ready(Place(places.clone()));
            }
            places.waiting.borrow_mut().push(cx.waker().clone());
            Poll::Pending
        })
        .await
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.taken.set(self.0.taken.get().saturating_sub(1));
        // All are asked, as the first may not be waiting any more; it goes first.
        for waker in self.0.waiting.take() {
            waker.wake();
        }
    }
}
