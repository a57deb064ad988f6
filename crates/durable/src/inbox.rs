//! The inbox: the messages to a run. One record is made when a message arrives, and another when
//! the run reads it. A replay therefore reads the message at the same point of the run.
//!
//! Example: the user sends a question while a run is active. The question stays in the
//! inbox until the agent's next Reason step reads it with [`Ctx::peek`]. If the run needs the
//! user's permission, it waits with [`Ctx::signal`], which parks the run until the message arrives.
//! A [`Ctx::timer`] ends with a message too.

use super::index::PathRecords;
use super::message::{Elapsed, Message, StoredMessage};
use super::{Ctx, Entry, Halt, Journal, Path};
use crate::json;
use serde::Serialize;

impl Journal {
    /// Puts a message into the run's inbox. Does nothing if a message with the same id arrived
    /// before.
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

    /// Returns the unread messages of this kind, oldest first, with their ids.
    pub fn unread<M: Message>(&self) -> Vec<(String, M)> {
        opened(self.untaken(M::NAME))
    }

    /// Returns the messages of this kind that the run has read, oldest first, with their ids.
    pub fn read_messages<M: Message>(&self) -> Vec<(String, M)> {
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
    /// Reads the messages of this kind that have arrived, with their ids, oldest first. Reading
    /// stops before the first message for which `wanted` returns false. `wanted` must depend only
    /// on the message and the run's configuration.
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

    /// Reads the first message of this kind. If no such message has arrived, the run parks
    /// ([`Halt::Parked`]). When the message arrives, the run is started again. `why` is recorded
    /// for readers of the journal.
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

    /// Waits for `ms` milliseconds by the wall clock. The worker may end during the wait.
    ///
    /// # Errors
    /// Those of [`Ctx::signal`].
    pub async fn timer(&self, segment: impl std::fmt::Display, ms: u64) -> Result<(), Halt> {
        let waits = self.await_letter(segment, Elapsed::NAME, &(), Some(ms));
        waits.await.map(|_| ())
    }

    /// Returns the message that ends the wait at `segment`. Returns `None` if a [`Ctx::peek`] was
    /// recorded at this path, and found no message.
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
        if slot.waits.as_ref().is_some_and(|waits| waits.kind != kind) {
            return Err(Halt::Diverged { path });
        }
        if let Some(stop) = self.journal.stopped() {
            return Err(Halt::Stopped(stop));
        }
        let waits = slot.waits.as_ref().map_or(&[][..], |waits| &waits.seqs);
        let mut letters = self.journal.untaken(kind);
        letters.retain(|it| it.ends(kind, waits));
        letters.truncate(1);
        if !letters.is_empty() {
            let letter = self.hear(&path, letters).into_iter().next();
            return Ok((path, letter));
        }
        if let Some(stop) = self.journal.stop_asked() {
            return Err(self.stopped_step(&path, String::new(), stop));
        }
        if slot.waits.is_none() {
            let body =
                serde_json::to_value(why).map_err(|error| Halt::unreadable(&path, &error))?;
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

/// Fails if an effect or a note is recorded under the path.
fn check(path: &Path, slot: &PathRecords) -> Result<(), Halt> {
    if slot.intent.is_some() || slot.note.is_some() {
        Err(Halt::Diverged { path: path.clone() })
    } else {
        Ok(())
    }
}

fn read<M: Message>(path: &Path, letter: &StoredMessage) -> Result<M, Halt> {
    json::read::<M>(&letter.body).map_err(|error| Halt::unreadable(path, &error))
}
