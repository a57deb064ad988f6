//! What a run holds in its hand: the place where it stands, and the way to act.

use super::active_time::ActiveTime;
use super::effect::{Call, Class, Effect, Key, Sink};
use super::index::{Intent, Slot};
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

/// A step that was cut off in so many lives kills them: it is not begun again. Those
/// that the person stopped or paused do not count.
const MAX_DEATHS: u32 = 10;

/// A place in a run.
#[derive(Clone)]
pub struct Ctx {
    pub(super) journal: Rc<Journal>,
    pub(super) path: Path,
}

impl Ctx {
    /// The run's beginning.
    pub fn new(journal: Rc<Journal>) -> Self {
        Self {
            journal,
            path: Path::root(),
        }
    }

    /// The place one level below.
    #[must_use]
    pub fn at(&self, segment: impl Display) -> Self {
        Self {
            journal: self.journal.clone(),
            path: self.path.child(segment),
        }
    }

    /// The idempotency key of what is done at this place, in however many steps.
    pub fn key(&self) -> Key {
        self.key_of(&self.path)
    }

    /// The run itself, whoever began what stands at this place.
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

    /// Does `effect` once: if its outcome is recorded under this path, that is
    /// returned without doing anything.
    ///
    /// # Errors
    /// Every [`Halt`]; see there.
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
        let deaths = slot.intent.as_ref().map_or(0, Intent::deaths);
        if deaths >= MAX_DEATHS {
            return Err(Halt::Exhausted { path });
        }
        let attempt = slot.intent.map_or(1, |intent| intent.attempt + 1);
        self.attempt(path, effect, attempt).await
    }

    /// States a fact that follows from what the run knows, for its readers.
    ///
    /// # Errors
    /// [`Halt::Twice`], [`Halt::Diverged`].
    pub fn note(
        &self,
        segment: impl Display,
        topic: &'static str,
        fact: &impl Serialize,
    ) -> Result<(), Halt> {
        let path = self.claim(segment)?;
        let body = serde_json::to_value(fact).map_err(|error| unreadable(&path, &error))?;
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

    /// What was gathered before the code changed, if the run was renewed
    /// ([`Entry::Renewed`]).
    ///
    /// # Errors
    /// [`Halt::Unreadable`].
    pub fn recall<T: DeserializeOwned>(&self) -> Result<Option<T>, Halt> {
        let gathered = self.journal.index.borrow().gathered();
        let read = gathered.map(|gathered| json::read::<T>(&gathered));
        read.transpose()
            .map_err(|error| unreadable(&self.path.child("recall"), &error))
    }

    /// What stands at a place of the journal that a renewal named.
    pub fn entry(&self, seq: u64) -> Option<Entry> {
        let place = usize::try_from(seq).ok()?;
        self.journal
            .read(|records| Some(records.get(place)?.entry.clone()))
    }

    /// The outcome that stands there; `None` if there is none, or its body is gone.
    ///
    /// # Errors
    /// [`Halt::Store`], [`Halt::Unreadable`].
    pub async fn outcome(&self, seq: u64) -> Result<Option<Value>, Halt> {
        match self.entry(seq) {
            Some(Entry::Outcome { body }) => self.value(&self.path.child("recall"), body).await,
            _ => Ok(None),
        }
    }

    /// How long the run has been at work, in milliseconds.
    ///
    /// # Errors
    /// Those of [`Ctx::step`].
    pub async fn active_ms(&self, segment: impl Display) -> Result<u64, Halt> {
        let journal = self.journal.clone();
        self.step(segment, ActiveTime { journal }).await
    }

    /// The barrier: resolves when everything noted so far has landed. Awaited
    /// before a terminal event and before parking.
    ///
    /// # Errors
    /// None of its own: a store that refuses ends the drive.
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
            return Err(self.gone(&path, String::new(), stop));
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
            // Asked meanwhile: the effect must not begin.
            if let Some(stop) = self.journal.stop_asked() {
                return Err(self.gone(&path, String::new(), stop));
            }
        }
        // Refused in this very poll, perhaps by another branch.
        self.journal.sound()?;
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
                // Cancelled before its end is recorded, so that nothing comes after.
                drop(effect);
                let partial = streamed.borrow().clone();
                Err(self.gone(&path, partial, stop))
            }
        }
    }

    pub(super) async fn record<T: Serialize + DeserializeOwned>(
        &self,
        path: Path,
        class: Class,
        outcome: &T,
    ) -> Result<T, Halt> {
        let value = serde_json::to_value(outcome).map_err(|error| unreadable(&path, &error))?;
        // The run sees what a replay will see, to the last bit.
        let seen = json::read::<T>(&value).map_err(|error| unreadable(&path, &error))?;
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
            Some(value) => json::read::<T>(&value).map_err(|error| unreadable(path, &error)),
            None => Err(Halt::Unreadable {
                path: path.clone(),
                message: "its body is missing".to_owned(),
            }),
        }
    }

    /// A recorded value; `None` if its body is gone.
    async fn value(&self, path: &Path, body: Body) -> Result<Option<Value>, Halt> {
        match body {
            Body::Inline(value) => Ok(Some(value)),
            Body::Blob(hash) => {
                let json = self.journal.body(&hash).await?;
                let value = json.map(|json| serde_json::from_str(&json)).transpose();
                value.map_err(|error| unreadable(path, &error))
            }
        }
    }

    pub(super) fn gone(&self, path: &Path, partial: String, stop: Stop) -> Halt {
        self.journal.note(path, Entry::Gone { partial, stop });
        self.journal.flush();
        Halt::Stopped(stop)
    }
}

/// Whether the step may go on from what is recorded.
fn check<E: Effect>(path: &Path, slot: &Slot, effect: &E) -> Result<(), Halt> {
    check_as(path, slot, E::KIND, &effect.fingerprint())
}

/// Whether what is recorded is of this kind and asks the same.
pub(super) fn check_as(
    path: &Path,
    slot: &Slot,
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

pub(super) fn unreadable(path: &Path, error: &serde_json::Error) -> Halt {
    Halt::Unreadable {
        path: path.clone(),
        message: error.to_string(),
    }
}
