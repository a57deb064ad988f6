//! [`Ctx`]: a path in a run, and the operations that the run's code may use at that path.

use super::active_time::ActiveTime;
use super::effect::{Class, Key};
use super::{Body, Entry, Halt, Journal, Path, RunId, Stop};
use crate::json;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt::Display;
use std::future::poll_fn;
use std::rc::Rc;

/// A path in a run, together with the run's journal. The run's code performs effects only through
/// [`Ctx::step`] and [`Ctx::scope`].
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

    /// Returns the idempotency key of all effects at this path.
    pub fn key(&self) -> Key {
        self.key_of(&self.path)
    }

    /// Returns the id of this run. If this run is a fork, [`Ctx::key`] may name the original run
    /// instead.
    pub fn run(&self) -> RunId {
        self.journal.run().clone()
    }

    pub(super) fn key_of(&self, path: &Path) -> Key {
        let index = self.journal.index.borrow();
        let author = index.author(path);
        Key {
            run: author.unwrap_or(self.journal.run()).clone(),
            path: index.key(path),
        }
    }

    /// Records a fact for readers of the journal, such as an event of the timeline. The fact must
    /// follow from data that the run already has, because a replay must compute the same fact.
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

    /// Resolves when everything recorded so far is written. A run waits for this before the run
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

    pub(super) async fn record<T: Serialize + DeserializeOwned>(
        &self,
        path: Path,
        class: Class,
        outcome: &T,
    ) -> Result<T, Halt> {
        let value =
            serde_json::to_value(outcome).map_err(|error| Halt::unreadable(&path, &error))?;
        // The run gets the value as parsed from JSON, because a replay gets it in this form too.
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
