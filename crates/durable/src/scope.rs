//! Work of several steps that counts as one: what it came to is recorded like an effect's.
//!
//! Driving example: a search asks, grades, rewrites and reads, each a step of its own below the
//! call. Killed in the middle, the next life goes into it again and its steps replay; once its
//! outcome is recorded, nobody goes in any more. Its steps have classes of their own; it has
//! none, as it does nothing but them.

use super::ctx::check_as;
use super::{Class, Ctx, Entry, Fingerprint, Fut, Halt};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Several steps that are one act to those above.
pub trait Scope {
    /// What comes of it, failure included.
    type Outcome: Serialize + DeserializeOwned + 'static;

    /// Its name in journals: that of an effect, where readers are to take it for one.
    const KIND: &'static str;

    /// What it asks. Must not depend on time, chance or the life.
    fn fingerprint(&self) -> Fingerprint;

    /// What a reader of the journal should know before the outcome.
    fn label(&self) -> Value {
        Value::Null
    }

    /// Does it, in steps at and below this place.
    fn perform(self, ctx: Ctx) -> Fut<Result<Self::Outcome, Halt>>;
}

impl Ctx {
    /// Does `scope` once: if its outcome is recorded under this path, that is returned and none
    /// of its steps is looked at. Left in the middle by an earlier life, it is gone on with:
    /// what it does by itself follows from its steps.
    ///
    /// # Errors
    /// Every [`Halt`] of its steps; those of replaying.
    pub async fn scope<S: Scope>(
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
                // It travels with the intent of the first step, which is what is done.
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
