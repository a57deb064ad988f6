//! Scopes: several steps with one common outcome.
//!
//! Driving example: a search sends queries, grades results and reads pages. Each of these is a step
//! below the path of the search. If the worker is killed in the middle, the next life runs the
//! scope's code again, and its recorded steps are replayed. Once the scope has an outcome, its code
//! isn't run again. A scope itself has no effect class, because only its steps act on the outside
//! world.

use super::step::check_as;
use super::{Class, Ctx, Entry, Fingerprint, Fut, Halt};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Several steps that count as one action and have one outcome.
pub trait CompositeStep {
    /// The result. Failures are results too.
    type Outcome: Serialize + DeserializeOwned + 'static;

    /// The scope's kind in journals. It is the kind of an effect if readers should treat the scope
    /// as that effect.
    const KIND: &'static str;

    /// The fingerprint of the request. It must not depend on time, randomness or the life.
    fn fingerprint(&self) -> Fingerprint;

    /// Data about the scope for readers of the journal. It is recorded before the outcome.
    fn label(&self) -> Value {
        Value::Null
    }

    /// Performs the work, in steps at and below the path of `ctx`.
    fn perform(self, ctx: Ctx) -> Fut<Result<Self::Outcome, Halt>>;
}

impl Ctx {
    /// Performs `scope`, unless an outcome is recorded under this path. A recorded outcome is
    /// returned, and none of the scope's steps is replayed. If an earlier life was killed within
    /// the scope, its code is run again, and its recorded steps are replayed.
    ///
    /// # Errors
    /// Every [`Halt`] of the scope's steps, and every [`Halt`] of a replay.
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
                // This record is written in the same batch as the intent of the first step.
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
