//! Scopes: groups of steps with one common outcome.
//!
//! Example: a search sends queries, grades results and reads pages. Each of these actions
//! is a step below the path of the search. If the worker is killed during the search, the next life
//! runs the scope's code again and replays the recorded steps. Once the scope has an outcome, its
//! code isn't run again. A scope has no effect class, because only its steps act on the outside
//! world.

use super::repeat_or_halt::check_as;
use super::{Class, Ctx, Entry, Fingerprint, Fut, Halt};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Several steps that count as one action and have one outcome.
pub trait CompositeStep {
    /// The result of the scope. A failure is a result too.
    type Outcome: Serialize + DeserializeOwned + 'static;

    /// The scope's kind in journals. If readers of the journal should treat the scope as a certain
    /// effect, this is the kind of that effect.
    const KIND: &'static str;

    /// Returns the fingerprint of the request. The fingerprint must not depend on time, randomness
    /// or the life.
    fn fingerprint(&self) -> Fingerprint;

    /// Returns data about the scope for readers of the journal. The data is recorded before the
    /// scope's steps.
    fn label(&self) -> Value {
        Value::Null
    }

    /// Performs the work, in steps at and below the path of `ctx`.
    fn perform(self, ctx: Ctx) -> Fut<Result<Self::Outcome, Halt>>;
}

impl Ctx {
    /// Performs `scope`, unless an outcome is recorded under its path. A recorded outcome is
    /// returned without running the scope's code. If an earlier life was killed within the scope,
    /// the code is run again, and its recorded steps are replayed.
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
                // The record is not flushed here. It is written in one batch with the intent of the
                // first step.
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
