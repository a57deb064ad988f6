//! Work of several steps whose result is recorded like that of one effect.
//!
//! Driving example: a search sends queries, grades, rewrites and reads, each as a step below the
//! call. If the worker is killed in the middle, the next life enters the scope again and its steps
//! replay. Once the scope's outcome is recorded, it isn't entered again. The steps have classes of
//! their own; the scope needs none, as it does nothing else.

use super::ctx::check_as;
use super::{Class, Ctx, Entry, Fingerprint, Fut, Halt};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Several steps that count as one action.
pub trait CompositeStep {
    /// The result, failures included.
    type Outcome: Serialize + DeserializeOwned + 'static;

    /// The scope's name in journals. It is an effect's name if readers should treat the scope as
    /// one.
    const KIND: &'static str;

    /// The fingerprint of the request. It must not depend on time, randomness or the life.
    fn fingerprint(&self) -> Fingerprint;

    /// The data that readers of the journal need before the outcome.
    fn label(&self) -> Value {
        Value::Null
    }

    /// Performs the work, in steps at and below the path of `ctx`.
    fn perform(self, ctx: Ctx) -> Fut<Result<Self::Outcome, Halt>>;
}

impl Ctx {
    /// Performs `scope` once. If an outcome is recorded under this path, it is returned and no step
    /// is replayed. A scope that an earlier life left in the middle is entered again, and its
    /// recorded steps replay.
    ///
    /// # Errors
    /// Every [`Halt`] of its steps and of replaying.
    pub async fn scope<S: CompositeStep>(
        &self,
        segment: impl std::fmt::Display,
        scope: S,
    ) -> Result<S::Outcome, Halt> {
        let path = self.claim(segment)?;
        let slot = self.journal.slot(&path);
        check_as(&path, &slot, S::KIND, &scope.fingerprint())?;
        if let Some(body) = slot.outcome {
            return self.decode(&path, body).await;
        }
        let stopped = self.journal.stopped().or_else(|| self.journal.stop_asked());
        match stopped {
            Some(stop) => return Err(Halt::Stopped(stop)),
            None if slot.intent.is_some() => {}
            None => {
                // Written together with the intent of the first step.
                self.journal.note(
                    &path,
                    Entry::Intent {
                        effect: S::KIND.to_owned(),
                        class: Class::Safe,
                        fingerprint: scope.fingerprint(),
                        attempt: 1,
                        label: scope.label(),
                    },
                );
            }
        }
        let within = Self {
            journal: self.journal.clone(),
            path: path.clone(),
        };
        let outcome = scope.perform(within).await?;
        self.record(path, Class::Safe, &outcome).await
    }
}
