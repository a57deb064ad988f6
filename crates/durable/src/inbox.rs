//! The inbox: messages to a run. The arrival and the reading of a message are both recorded, so
//! that a replay reads the message at the same point.
//!
//! Driving example: the user sends a question while a run is active. The question stays in the
//! inbox until the next reasoning step reads it with [`Ctx::peek`]. For a permission that only the
//! user can give, the run calls [`Ctx::signal`] and parks until the message arrives.
//!
//! A wait may have a time limit ([`Ctx::signal_within`], [`Ctx::timer`]). When the time is up, a
//! message of kind [`Elapsed`] arrives. The wait reads either the answer or this message, never
//! both.

use super::index::{PathRecords, Wait};
use super::timers::Elapsed;
use super::{Ctx, Entry, Halt, Journal, Path};
use crate::json;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A message that a run can receive while it is active or parked.
pub trait Message: Serialize + DeserializeOwned {
    /// The message's kind in journals. A wait accepts messages of one kind.
    const NAME: &'static str;
}

/// A message in the inbox.
#[derive(Clone)]
pub(super) struct StoredMessage {
    pub(super) id: String,
    pub(super) kind: String,
    pub(super) body: Value,
    /// True if the message was read or withdrawn.
    pub(super) gone: bool,
    /// True if the message was read.
    pub(super) heard: bool,
}

/// Returns the number of the wait's record that a message answers. The number is in the message's
/// id: `verdict.12` and `elapsed.12` answer the wait in record 12. `None` if any wait for this kind
/// may read the message.
pub(super) fn answers(id: &str, kind: &str) -> Option<u64> {
    id.strip_prefix(kind)?.strip_prefix('.')?.parse().ok()
}

impl StoredMessage {
    /// Returns true if the message ends a wait for `kind`. `waits` are the numbers of the wait's
    /// records; a wait that was recorded again has several.
    fn ends(&self, kind: &str, waits: &[u64]) -> bool {
        ends((&self.id, &self.kind), kind, waits)
    }
}

/// Like [`StoredMessage::ends`], for a message given by its id and kind.
pub(super) fn ends((id, kind): (&str, &str), wanted: &str, waits: &[u64]) -> bool {
    match answers(id, kind) {
        Some(wait) => waits.contains(&wait) && (kind == wanted || kind == Elapsed::NAME),
        None => kind == wanted && kind != Elapsed::NAME,
    }
}

impl Journal {
    /// Puts a message into the run's inbox. Does nothing if a message with this id arrived before.
    pub fn deliver<M: Message>(&self, id: &str, message: &M) {
        if self.index.borrow().has_letter(id) {
            return;
        }
        let arrived = Entry::Arrived {
            message: id.to_owned(),
            kind: M::NAME.to_owned(),
            body: serde_json::to_value(message).unwrap_or_default(),
        };
        self.mark(&Path::root(), arrived);
    }

    /// Withdraws a message, unless the run has read it.
    pub fn withdraw(&self, id: &str) {
        let waiting = |letter: &StoredMessage| letter.id == id && !letter.gone;
        if !self.index.borrow().letters(waiting).is_empty() {
            let message = id.to_owned();
            self.mark(&Path::root(), Entry::Withdrawn { message });
        }
    }

    /// Returns true if a message with this id ever arrived, even if it was withdrawn.
    pub fn received(&self, id: &str) -> bool {
        self.index.borrow().has_letter(id)
    }

    /// The unread messages of this kind, oldest first, with their ids.
    pub fn unread<M: Message>(&self) -> Vec<(String, M)> {
        opened(self.untaken(M::NAME))
    }

    /// The messages of this kind that the run has read, oldest first, with their ids.
    pub fn taken<M: Message>(&self) -> Vec<(String, M)> {
        let index = self.index.borrow();
        opened(index.letters(|letter| letter.kind == M::NAME && letter.heard))
    }

    pub(super) fn untaken(&self, kind: &str) -> Vec<StoredMessage> {
        let index = self.index.borrow();
        index.letters(|letter| letter.kind == kind && !letter.gone)
    }

    pub(super) fn letters(&self, ids: &[String]) -> Vec<StoredMessage> {
        let index = self.index.borrow();
        index.letters(|letter| ids.contains(&letter.id))
    }
}

impl Ctx {
    /// Reads the messages of this kind that have arrived, with their ids, oldest first. Stops
    /// before the first message for which `wanted` returns false. `wanted` must depend only on the
    /// message and the run's configuration.
    ///
    /// # Errors
    /// [`Halt::Twice`], [`Halt::Diverged`], [`Halt::Unreadable`].
    pub fn peek<M: Message>(
        &self,
        segment: impl std::fmt::Display,
        wanted: impl Fn(&M) -> bool,
    ) -> Result<Vec<(String, M)>, Halt> {
        let path = self.claim(segment)?;
        let slot = self.journal.slot(&path);
        check(&path, &slot)?;
        let open = |letter: StoredMessage| match read::<M>(&path, &letter) {
            Ok(message) => Ok((letter, message)),
            Err(halt) => Err(halt),
        };
        let letters = match &slot.heard {
            Some(ids) => self.journal.letters(ids),
            None => self.journal.untaken(M::NAME),
        };
        let opened: Vec<(StoredMessage, M)> =
            letters.into_iter().map(open).collect::<Result<_, _>>()?;
        let taken = opened
            .into_iter()
            .take_while(|(_, message)| slot.heard.is_some() || wanted(message));
        let (letters, messages): (Vec<StoredMessage>, Vec<M>) = taken.unzip();
        let ids: Vec<String> = letters.iter().map(|letter| letter.id.clone()).collect();
        if slot.heard.is_none() {
            self.hear(&path, letters);
        }
        Ok(ids.into_iter().zip(messages).collect())
    }

    /// Reads the first message of this kind. If none has arrived, the run parks ([`Halt::Parked`]).
    /// The arrival of the message starts the run again. `why` is recorded for readers of the
    /// journal.
    ///
    /// # Errors
    /// Those of [`Ctx::peek`], [`Halt::Stopped`], [`Halt::Parked`].
    pub async fn signal<M: Message>(
        &self,
        segment: impl std::fmt::Display,
        why: &impl Serialize,
    ) -> Result<M, Halt> {
        let (path, letter) = self.await_letter(segment, M::NAME, why, None).await?;
        match letter.filter(|letter| letter.kind == M::NAME) {
            Some(letter) => read(&path, &letter),
            None => Err(Halt::Diverged { path }),
        }
    }

    /// Reads the first message of this kind that arrives within `ms` milliseconds of the wall
    /// clock. Returns `None` after that; a message that arrives later is left for a later wait. If
    /// the message arrived and the time is up, the message is read.
    ///
    /// The worker may end during the wait. The code that drives runs calls [`Journal::elapse`] when
    /// the time is up.
    ///
    /// # Errors
    /// Those of [`Ctx::signal`].
    pub async fn signal_within<M: Message>(
        &self,
        segment: impl std::fmt::Display,
        why: &impl Serialize,
        ms: u64,
    ) -> Result<Option<M>, Halt> {
        let (path, letter) = self.await_letter(segment, M::NAME, why, Some(ms)).await?;
        let answer = letter.filter(|letter| letter.kind == M::NAME);
        answer.map(|letter| read(&path, &letter)).transpose()
    }

    /// Waits for `ms` milliseconds of the wall clock. The worker may end during the wait.
    ///
    /// # Errors
    /// Those of [`Ctx::signal`].
    pub async fn timer(&self, segment: impl std::fmt::Display, ms: u64) -> Result<(), Halt> {
        let waits = self.await_letter(segment, Elapsed::NAME, &(), Some(ms));
        waits.await.map(|_| ())
    }

    /// Returns the message that ends the wait at this path: a message of the kind, or the expiry.
    /// `None` if the record under this path is a [`Ctx::peek`] that found nothing.
    async fn await_letter(
        &self,
        segment: impl std::fmt::Display,
        kind: &'static str,
        why: &impl Serialize,
        within_ms: Option<u64>,
    ) -> Result<(Path, Option<StoredMessage>), Halt> {
        let path = self.claim(segment)?;
        let slot = self.journal.slot(&path);
        check(&path, &slot)?;
        if let Some(ids) = slot.heard {
            let letter = self.journal.letters(&ids).into_iter().next();
            return Ok((path, letter));
        }
        let same = |waits: &Wait| waits.kind == kind && waits.is_timed == within_ms.is_some();
        if !slot.waits.as_ref().is_none_or(same) {
            return Err(Halt::Diverged { path });
        }
        if let Some(stop) = self.journal.stopped() {
            return Err(Halt::Stopped(stop));
        }
        let waits = slot.waits.as_ref().map_or(&[][..], |waits| &waits.seqs);
        let come = |kind: &str| -> Vec<StoredMessage> {
            let letters = self.journal.untaken(kind).into_iter();
            letters.filter(|it| it.ends(kind, waits)).collect()
        };
        // If the answer and the expiry have both arrived, the answer counts.
        let mut letters = come(kind);
        if letters.is_empty() {
            letters = come(Elapsed::NAME);
        }
        letters.truncate(1);
        if !letters.is_empty() {
            let letter = self.hear(&path, letters).into_iter().next();
            return Ok((path, letter));
        }
        if let Some(stop) = self.journal.stop_asked() {
            return Err(self.gone(&path, String::new(), stop));
        }
        if slot.waits.is_none() {
            let body =
                serde_json::to_value(why).map_err(|error| super::ctx::unreadable(&path, &error))?;
            let kind = kind.to_owned();
            self.journal.note(
                &path,
                Entry::Waiting {
                    kind,
                    body,
                    within_ms,
                },
            );
        }
        self.durable().await?;
        Err(Halt::Parked { path })
    }

    fn hear(&self, path: &Path, letters: Vec<StoredMessage>) -> Vec<StoredMessage> {
        let messages = letters.iter().map(|letter| letter.id.clone()).collect();
        self.journal
            .record_and_index(path, Entry::MessagesRead { messages });
        letters
    }
}

fn opened<M: Message>(letters: Vec<StoredMessage>) -> Vec<(String, M)> {
    let opened = letters
        .into_iter()
        .filter_map(|letter| Some((letter.id, json::read::<M>(&letter.body).ok()?)));
    opened.collect()
}

/// Fails if the record under the path is not a read of the inbox.
fn check(path: &Path, slot: &PathRecords) -> Result<(), Halt> {
    if slot.intent.is_some() || slot.note.is_some() {
        Err(Halt::Diverged { path: path.clone() })
    } else {
        Ok(())
    }
}

fn read<M: Message>(path: &Path, letter: &StoredMessage) -> Result<M, Halt> {
    json::read::<M>(&letter.body).map_err(|error| super::ctx::unreadable(path, &error))
}
