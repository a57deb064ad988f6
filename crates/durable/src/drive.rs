//! Executes a run by polling its code together with the writes of its journal.

use super::{Halt, Journal, Path, RunId};
use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll};

thread_local! {
    static POLLED: RefCell<Option<RunId>> = const { RefCell::new(None) };
}

/// Returns the run whose code is being polled. A panic hook calls this to name the run.
pub fn polled_run() -> Option<RunId> {
    POLLED.with(|polled| polled.borrow().clone())
}

/// Polls `run` until it ends or halts, together with the writes of its journal.
///
/// # Errors
/// - The run's own [`Halt`].
/// - The first error of the store. The run is dropped at once and performs nothing more.
/// - [`Halt::Panicked`] if two lives panicked between steps. The run is then not polled.
pub async fn drive<T>(
    journal: &Journal,
    run: impl Future<Output = Result<T, Halt>>,
) -> Result<T, Halt> {
    // Every life runs the code between recorded steps again, so a third life would panic too.
    if let Some(message) = journal.panicked_twice(&Path::root()) {
        let path = Path::root();
        return Err(Halt::Panicked { path, message });
    }
    let mut run = pin!(run);
    let result = poll_fn(|cx| {
        // The listener is called while `POLLED` is set, because the listener may panic too.
        POLLED.with(|polled| polled.replace(Some(journal.run().clone())));
        let polled = poll(journal, run.as_mut(), cx);
        POLLED.with(|polled| polled.replace(None));
        polled
    })
    .await;
    journal.flushed().await?;
    result
}

fn poll<T>(
    journal: &Journal,
    run: Pin<&mut impl Future<Output = Result<T, Halt>>>,
    cx: &mut Context<'_>,
) -> Poll<Result<T, Halt>> {
    if let Err(error) = journal.poll_writes(cx) {
        return Poll::Ready(Err(error.into()));
    }
    let polled = run.poll(cx);
    // A write that `run` has just started must be polled once, or it could not wake this task.
    match journal.poll_writes(cx) {
        Err(error) => Poll::Ready(Err(error.into())),
        Ok(()) => polled,
    }
}
