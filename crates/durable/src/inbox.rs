//! Messages for a run: journalled when they come and where they are taken, so
//! that a replay sees them at the same place (DESIGN, rule 4).
//!
//! Driving example: a question sent while a run is at work lies in the inbox
//! until the next Reason peeks; a permission that only the person can give is
//! awaited by [`Ctx::signal`], which ends the drive until it comes. A wait may have
//! an end of its own ([`Ctx::signal_within`], [`Ctx::timer`]): that its time is up is
//! a message like any other, so that exactly one of the two is taken, and replayed.

use super::index::{Slot, Waiting};
use super::timers::Elapsed;
use super::{Ctx, Entry, Halt, Journal, Path};
use crate::json;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Something that a run can be told while it is at work.
pub trait Message: Serialize + DeserializeOwned {
    /// Its name in journals: which places take it.
    const NAME: &'static str;
}

/// A message as it lies in the inbox.
#[derive(Clone)]
pub(super) struct Letter {
    pub(super) id: String,
    pub(super) kind: String,
    pub(super) body: Value,
    /// Taken by a place, or taken back.
    pub(super) gone: bool,
    /// Taken by a place.
    pub(super) heard: bool,
}

/// The record of the wait that a message answers, which its id names: `verdict.<seq>`,
/// `elapsed.<seq>`. `None`: it is for whichever place takes its kind.
pub(super) fn answers(id: &str, kind: &str) -> Option<u64> {
    id.strip_prefix(kind)?.strip_prefix('.')?.parse().ok()
}

impl Letter {
    /// Whether it ends a wait of that kind; `waits` are the records of that wait, as it
    /// may have been noted again.
    fn ends(&self, kind: &str, waits: &[u64]) -> bool {
        ends((&self.id, &self.kind), kind, waits)
    }
}

/// See [`Letter::ends`]: of a message, by its id and kind.
pub(super) fn ends((id, kind): (&str, &str), wanted: &str, waits: &[u64]) -> bool {
    match answers(id, kind) {
        Some(wait) => waits.contains(&wait) && (kind == wanted || kind == Elapsed::NAME),
        None => kind == wanted && kind != Elapsed::NAME,
    }
}

impl Journal {
    /// Puts a message into the run's inbox; one that came before changes nothing.
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

    /// Takes a message back, unless the run has taken it.
    pub fn withdraw(&self, id: &str) {
        let waiting = |letter: &Letter| letter.id == id && !letter.gone;
        if !self.index.borrow().letters(waiting).is_empty() {
            let message = id.to_owned();
            self.mark(&Path::root(), Entry::Withdrawn { message });
        }
    }

    /// Whether a message of this id ever came.
    pub fn received(&self, id: &str) -> bool {
        self.index.borrow().has_letter(id)
    }

    /// The messages of this kind that nobody took, oldest first, with their ids.
    pub fn unread<M: Message>(&self) -> Vec<(String, M)> {
        opened(self.untaken(M::NAME))
    }

    /// The messages of this kind that the run took, oldest first, with their ids.
    pub fn taken<M: Message>(&self) -> Vec<(String, M)> {
        let index = self.index.borrow();
        opened(index.letters(|letter| letter.kind == M::NAME && letter.heard))
    }

    pub(super) fn untaken(&self, kind: &str) -> Vec<Letter> {
        let index = self.index.borrow();
        index.letters(|letter| letter.kind == kind && !letter.gone)
    }

    pub(super) fn letters(&self, ids: &[String]) -> Vec<Letter> {
        let index = self.index.borrow();
        index.letters(|letter| ids.contains(&letter.id))
    }
}

impl Ctx {
    /// Takes the messages of this kind that have come by now and are `wanted`,
    /// oldest first, with their ids; none behind one that is not. `wanted` must
    /// follow from the message and the run's configuration.
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
        let open = |letter: Letter| match read::<M>(&path, &letter) {
            Ok(message) => Ok((letter, message)),
            Err(halt) => Err(halt),
        };
        let letters = match &slot.heard {
            Some(ids) => self.journal.letters(ids),
            None => self.journal.untaken(M::NAME),
        };
        let opened: Vec<(Letter, M)> = letters.into_iter().map(open).collect::<Result<_, _>>()?;
        let taken = opened
            .into_iter()
            .take_while(|(_, message)| slot.heard.is_some() || wanted(message));
        let (letters, messages): (Vec<Letter>, Vec<M>) = taken.unzip();
        let ids: Vec<String> = letters.iter().map(|letter| letter.id.clone()).collect();
        if slot.heard.is_none() {
            self.hear(&path, letters);
        }
        Ok(ids.into_iter().zip(messages).collect())
    }

    /// The first message of this kind that comes. While there is none, the drive
    /// ends ([`Halt::Parked`]); the message begins the next one. `why` is for the
    /// journal's readers.
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

    /// The first message of this kind that comes within `ms` milliseconds of the
    /// wall clock; else `None`, and a message that comes later is for a later wait.
    /// No worker lives meanwhile: whoever drives runs tells it when the time is up
    /// ([`Journal::elapse`]). Of a message and the end of the time the message wins
    /// if both have come.
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

    /// Waits for `ms` milliseconds of the wall clock. No worker lives meanwhile.
    ///
    /// # Errors
    /// Those of [`Ctx::signal`].
    pub async fn timer(&self, segment: impl std::fmt::Display, ms: u64) -> Result<(), Halt> {
        let waits = self.await_letter(segment, Elapsed::NAME, &(), Some(ms));
        waits.await.map(|_| ())
    }

    /// What ends a wait here: a message of the kind, or that its time is up. `None`
    /// where a look was recorded that found nothing.
    async fn await_letter(
        &self,
        segment: impl std::fmt::Display,
        kind: &'static str,
        why: &impl Serialize,
        within_ms: Option<u64>,
    ) -> Result<(Path, Option<Letter>), Halt> {
        let path = self.claim(segment)?;
        let slot = self.journal.slot(&path);
        check(&path, &slot)?;
        if let Some(ids) = slot.heard {
            let letter = self.journal.letters(&ids).into_iter().next();
            return Ok((path, letter));
        }
        let same = |waits: &Waiting| waits.kind == kind && waits.is_timed == within_ms.is_some();
        if !slot.waits.as_ref().is_none_or(same) {
            return Err(Halt::Diverged { path });
        }
        if let Some(stop) = self.journal.stopped() {
            return Err(Halt::Stopped(stop));
        }
        let waits = slot.waits.as_ref().map_or(&[][..], |waits| &waits.seqs);
        let come = |kind: &str| -> Vec<Letter> {
            let letters = self.journal.untaken(kind).into_iter();
            letters.filter(|it| it.ends(kind, waits)).collect()
        };
        // Of an answer and the end of its time the answer counts.
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
                Entry::Waits {
                    kind,
                    body,
                    within_ms,
                },
            );
        }
        self.durable().await?;
        Err(Halt::Parked { path })
    }

    fn hear(&self, path: &Path, letters: Vec<Letter>) -> Vec<Letter> {
        let messages = letters.iter().map(|letter| letter.id.clone()).collect();
        self.journal.take_in(path, Entry::Heard { messages });
        letters
    }
}

fn opened<M: Message>(letters: Vec<Letter>) -> Vec<(String, M)> {
    let opened = letters
        .into_iter()
        .filter_map(|letter| Some((letter.id, json::read::<M>(&letter.body).ok()?)));
    opened.collect()
}

/// Whether what is recorded here was a look into the inbox.
fn check(path: &Path, slot: &Slot) -> Result<(), Halt> {
    if slot.intent.is_some() || slot.note.is_some() {
        Err(Halt::Diverged { path: path.clone() })
    } else {
        Ok(())
    }
}

fn read<M: Message>(path: &Path, letter: &Letter) -> Result<M, Halt> {
    json::read::<M>(&letter.body).map_err(|error| super::ctx::unreadable(path, &error))
}
