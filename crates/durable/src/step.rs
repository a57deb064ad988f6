//! [`Ctx`]: a path in a run, and the operations that the run's code may use at that path.

use super::active_time::ActiveTime;
use super::effect::{Call, Class, Effect, Key, Sink};
use super::index::{PathRecords, PendingIntent};
use super::{Body, Entry, Fingerprint, Halt, Journal, Path, RunId, Stop};
use crate::json;
use futures::future::{Either, select};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::cell::RefCell;
use std::fmt::Display;
use std::future::poll_fn;
use std::pin::pin;
use std::rc::Rc;

/// The maximum number of lives in which a step may be cut off. The step is then assumed to kill the
/// worker, and is not repeated. Lives that the user stopped or paused don't count.
const MAX_DEATHS: u32 = 10;

/// A path in a run, together with the run's journal. The run's code performs effects only through
/// this type.
#[derive(Clone)]
pub struct Ctx {
    pub(super) journal: Rc<Journal>,
    pub(super) path: Path,
}

impl Ctx {
    /// Returns the context at the root of a run.
    pub fn new(journal: Rc<Journal>) -> Self {
        Self {
            journal,
            path: Path::root(),
        }
    }

    /// Returns the context one level below this path: the segment `act` at `2` -> `2/act`.
    #[must_use]
    pub fn at(&self, segment: impl Display) -> Self {
        Self {
            journal: self.journal.clone(),
            path: self.path.child(segment),
        }
    }

    /// The idempotency key of all effects at this path.
    pub fn key(&self) -> Key {
        self.key_of(&self.path)
    }

    /// Returns the id of this run. If this run is a fork, [`Ctx::key`] may name the original run
    /// instead.
    pub fn run(&self) -> RunId {
        self.journal.run().clone()
    }

    fn key_of(&self, path: &Path) -> Key {
        let index = self.journal.index.borrow();
        let author = index.author(path);
        Key {
            run: author.unwrap_or(self.journal.run()).clone(),
            path: index.key(path),
        }
    }

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
        self.attempt(path, effect, attempt).await
    }

    /// Records a fact for readers of the journal, such as an event of the timeline. The fact must
    /// follow from data that the run already has.
    ///
    /// # Errors
    /// [`Halt::Twice`], [`Halt::Diverged`], [`Halt::Unreadable`].
    pub fn note(
        &self,
        segment: impl Display,
        topic: &'static str,
        fact: &impl Serialize,
    ) -> Result<(), Halt> {
        let path = self.claim(segment)?;
        let body = serde_json::to_value(fact).map_err(|error| Halt::unreadable(&path, &error))?;
        let slot = self.journal.slot(&path);
        match slot.note {
            Some((was, recorded)) if was == topic && recorded == body => Ok(()),
            Some(_) => Err(Halt::Diverged { path }),
            None if slot.intent.is_some() || slot.heard.is_some() || slot.waits.is_some() => {
                Err(Halt::Diverged { path })
            }
            None => {
                let topic = topic.to_owned();
                self.journal.note(&path, Entry::Note { topic, body });
                Ok(())
            }
        }
    }

    /// Returns the data that was carried over when the code changed ([`Entry::Restarted`]). Returns
    /// `None` if the run was never started over.
    ///
    /// # Errors
    /// [`Halt::Unreadable`].
    pub fn recall<T: DeserializeOwned>(&self) -> Result<Option<T>, Halt> {
        let gathered = self.journal.index.borrow().gathered();
        let read = gathered.map(|gathered| json::read::<T>(&gathered));
        read.transpose()
            .map_err(|error| Halt::unreadable(&self.path.child("recall"), &error))
    }

    /// Returns the entry of a record by its number in the journal.
    pub fn entry(&self, seq: u64) -> Option<Entry> {
        let place = usize::try_from(seq).ok()?;
        self.journal
            .read(|records| Some(records.get(place)?.entry.clone()))
    }

    /// Returns the outcome in a record. Returns `None` if the record is not an outcome, or if its
    /// body is no longer stored.
    ///
    /// # Errors
    /// [`Halt::Store`], [`Halt::Unreadable`].
    pub async fn outcome(&self, seq: u64) -> Result<Option<Value>, Halt> {
        match self.entry(seq) {
            Some(Entry::Outcome { body }) => self.value(&self.path.child("recall"), body).await,
            _ => Ok(None),
        }
    }

    /// Returns the run's active time in milliseconds. Reading the active time is a recorded step.
    ///
    /// # Errors
    /// Those of [`Ctx::step`].
    pub async fn active_ms(&self, segment: impl Display) -> Result<u64, Halt> {
        let journal = self.journal.clone();
        self.step(segment, ActiveTime { journal }).await
    }

    /// Resolves when everything recorded so far is written. The run waits for this before the run
    /// ends or parks.
    ///
    /// # Errors
    /// This never returns an error: [`super::drive()`] ends the run if the store refuses a write.
    pub async fn durable(&self) -> Result<(), Halt> {
        self.journal.flush();
        poll_fn(|cx| self.journal.poll_landed(cx)).await;
        Ok(())
    }

    pub(super) fn claim(&self, segment: impl Display) -> Result<Path, Halt> {
        let path = self.path.child(segment);
        if self.journal.claim(&path) {
            Ok(path)
        } else {
            Err(Halt::Twice { path })
        }
    }

    async fn attempt<E: Effect>(
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
            // The user may have stopped the run while the intent was written. Then the effect must
            // not begin.
            if let Some(stop) = self.journal.stop_asked() {
                return Err(self.stopped_step(&path, String::new(), stop));
            }
        }
        // A write of another branch may have failed in the same poll.
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

    pub(super) async fn record<T: Serialize + DeserializeOwned>(
        &self,
        path: Path,
        class: Class,
        outcome: &T,
    ) -> Result<T, Halt> {
        let value =
            serde_json::to_value(outcome).map_err(|error| Halt::unreadable(&path, &error))?;
        // The run gets the value from its JSON form, exactly as a replay will.
        let seen = json::read::<T>(&value).map_err(|error| Halt::unreadable(&path, &error))?;
        let body = self.journal.keep(value.to_string(), value).await?;
        self.journal.note(&path, Entry::Outcome { body });
        if class != Class::Safe {
            self.journal.flush();
        }
        Ok(seen)
    }

    pub(super) async fn decode<T: DeserializeOwned>(
        &self,
        path: &Path,
        body: Body,
    ) -> Result<T, Halt> {
        match self.value(path, body).await? {
            Some(value) => json::read::<T>(&value).map_err(|error| Halt::unreadable(path, &error)),
            None => Err(Halt::Unreadable {
                path: path.clone(),
                message: "its body is missing".to_owned(),
            }),
        }
    }

    /// Reads a recorded value; `None` if its body is no longer stored.
    async fn value(&self, path: &Path, body: Body) -> Result<Option<Value>, Halt> {
        match body {
            Body::Inline(value) => Ok(Some(value)),
            Body::Blob(hash) => {
                let json = self.journal.body(&hash).await?;
                let value = json.map(|json| serde_json::from_str(&json)).transpose();
                value.map_err(|error| Halt::unreadable(path, &error))
            }
        }
    }

    pub(super) fn stopped_step(&self, path: &Path, partial: String, stop: Stop) -> Halt {
        self.journal.note(path, Entry::Stopped { partial, stop });
        self.journal.flush();
        Halt::Stopped(stop)
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
