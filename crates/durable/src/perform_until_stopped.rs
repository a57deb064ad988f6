//! Performs an effect for the first time or again, and cancels it when the user stops the run.
//!
//! An effect is cancelled by dropping its future. A dropped HTTP request, for example, is aborted.

use super::ctx::Ctx;
use super::effect::{Call, Class, Effect, Sink};
use super::{Entry, Halt, Path};
use futures::future::{Either, select};
use std::cell::RefCell;
use std::future::poll_fn;
use std::pin::pin;
use std::rc::Rc;

impl Ctx {
    /// Records the intent, performs the effect, and records its outcome. If the run is stopped
    /// before the effect finishes, the effect is dropped. The stop is then recorded with the text
    /// that was streamed.
    ///
    /// # Errors
    /// [`Halt::Stopped`], [`Halt::Store`], [`Halt::Unreadable`].
    pub(super) async fn perform_until_stopped<E: Effect>(
        &self,
        path: Path,
        effect: E,
        attempt: u32,
    ) -> Result<E::Outcome, Halt> {
        if let Some(stop) = self.journal.stop_asked() {
            return Err(self.stopped_step(&path, String::new(), stop));
        }
        let class = effect.class();
        let intent = self.journal.note(
            &path,
            Entry::Intent {
                effect: E::KIND.to_owned(),
                class,
                fingerprint: effect.fingerprint(),
                attempt,
                label: effect.label(),
            },
        );
        self.journal.flush();
        if class != Class::Safe {
            self.recorded(class).await?;
            // The user may have stopped the run while the intent was written. In that case the
            // effect must not begin.
            if let Some(stop) = self.journal.stop_asked() {
                return Err(self.stopped_step(&path, String::new(), stop));
            }
        }
        // A write of a parallel branch may have just failed. In that case the effect must not begin
        // either.
        self.journal.check_poison()?;
        let streamed = Rc::new(RefCell::new(String::new()));
        let call = Call {
            key: self.key_of(&path),
            attempt,
            sink: Sink {
                journal: Some(self.journal.clone()),
                intent,
                streamed: streamed.clone(),
            },
        };
        let stop = pin!(poll_fn(|cx| self.journal.poll_stop(cx)));
        match select(effect.perform(call), stop).await {
            Either::Left((outcome, _)) => self.record(path, class, &outcome).await,
            Either::Right((stop, effect)) => {
                // The effect is cancelled before the stop is recorded, so that the effect does
                // nothing after the stop's record.
                drop(effect);
                let partial = streamed.borrow().clone();
                Err(self.stopped_step(&path, partial, stop))
            }
        }
    }
}
