//! Decides at a wake-up what happens to an interrupted step: its recorded outcome is returned, its
//! effect is performed again, or the run halts.
//!
//! Example: a worker is killed while a model writes a reply. The call's intent is recorded,
//! but its outcome is not. A model call is [`Class::Safe`], so the next worker performs the call
//! again. An effect of [`Class::External`] is not repeated: the run halts with [`Halt::Unknown`].

use super::ctx::Ctx;
use super::effect::{Class, Effect};
use super::index::{PathRecords, PendingIntent};
use super::{Fingerprint, Halt, Path};
use std::fmt::Display;

/// The maximum number of lives in which a step may be cut off. The step is then assumed to kill the
/// worker, and is not repeated. Lives in which the user stopped or paused the run don't count.
const MAX_DEATHS: u32 = 10;

impl Ctx {
    /// Performs `effect`, unless an outcome is recorded under its path. A recorded outcome is
    /// returned without performing the effect.
    ///
    /// # Errors
    /// Every [`Halt`] except [`Halt::Parked`].
    pub async fn step<E: Effect>(
        &self,
        segment: impl Display,
        effect: E,
    ) -> Result<E::Outcome, Halt> {
        let path = self.claim(segment)?;
        let slot = self.journal.slot(&path);
        check(&path, &slot, &effect)?;
        if let Some(body) = slot.outcome {
            return self.decode(&path, body).await;
        }
        if let Some(stop) = self.journal.stopped() {
            return Err(Halt::Stopped(stop));
        }
        if slot.intent.as_ref().map(|intent| intent.class) == Some(Class::External) {
            return Err(Halt::Unknown { path });
        }
        if let Some(message) = self.journal.panicked_twice(&path) {
            return Err(Halt::Panicked { path, message });
        }
        let deaths = slot.intent.as_ref().map_or(0, PendingIntent::deaths);
        if deaths >= MAX_DEATHS {
            return Err(Halt::Exhausted { path });
        }
        let attempt = slot.intent.map_or(1, |intent| intent.attempt + 1);
        self.perform_until_stopped(path, effect, attempt).await
    }
}

/// Fails if the effect doesn't match the records under its path.
fn check<E: Effect>(path: &Path, slot: &PathRecords, effect: &E) -> Result<(), Halt> {
    check_as(path, slot, E::KIND, &effect.fingerprint())
}

/// Fails if the record under the path has another kind or another fingerprint.
pub(super) fn check_as(
    path: &Path,
    slot: &PathRecords,
    kind: &str,
    asks: &Fingerprint,
) -> Result<(), Halt> {
    let same = match &slot.intent {
        Some(intent) => intent.effect == kind && intent.fingerprint == *asks,
        None => slot.note.is_none() && slot.heard.is_none() && slot.waits.is_none(),
    };
    if same {
        Ok(())
    } else {
        Err(Halt::Diverged { path: path.clone() })
    }
}
