//! One life of a worker: the worker's future is polled, and time passes in ticks, until the future
//! is done or the worker is killed.

use super::queue::Queue;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

/// A waker that records whether it was called. A future is polled again only if it called its
/// waker.
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

pub(super) fn live<T>(queue: &Queue, kill_at: u64, run: impl Future<Output = T>) -> Option<T> {
    // The future is boxed, so that a kill can drop it before the next life begins.
    let mut run = Box::pin(run);
    let woken = Arc::new(Woken(AtomicBool::new(true)));
    let waker = Waker::from(woken.clone());
    let mut cx = Context::from_waker(&waker);
    queue.begin_life();
    loop {
        queue.call_hooks();
        // A future may call its waker while it is being polled.
        while woken.0.swap(false, Ordering::Relaxed) {
            if let Poll::Ready(done) = run.as_mut().poll(&mut cx) {
                queue.end_life();
                return Some(done);
            }
        }
        if queue.ticks() >= kill_at {
            // The queue decides about operations in flight before the run is dropped. Dropping the
            // run first would recall all its requests.
            queue.kill();
            return None;
        }
        if !queue.tick() {
            deadlock();
        }
    }
}

#[expect(
    clippy::panic,
    reason = "the simulator is for tests, which must fail here"
)]
fn deadlock() -> ! {
    panic!("deadlock: nothing to do and the run isn't done");
}
