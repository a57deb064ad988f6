//! The records of a run, sorted by path.

use super::message::{StoredMessage, answers};
use super::{Body, Class, Entry, Fingerprint, Fork, Path, Record, RunId, Stop};
use crate::sorted::SortedMap;
use serde_json::Value;

/// The recorded entries of a run, sorted by path.
#[derive(Default)]
pub(super) struct Index {
    slots: SortedMap<Path, PathRecords>,
    stopped: Option<Stop>,
    panics: SortedMap<Path, (u32, String)>,
    inbox: Vec<StoredMessage>,
    gathered: Option<Value>,
    renewals: u32,
    forked: Option<Fork>,
}

/// The entries that are recorded under one path.
#[derive(Default, Clone)]
pub(super) struct PathRecords {
    pub(super) intent: Option<PendingIntent>,
    pub(super) outcome: Option<Body>,
    pub(super) note: Option<(String, Value)>,
    /// The ids of the messages that were read by the step with this path.
    pub(super) heard: Option<Vec<String>>,
    /// The wait for a message that the step with this path began.
    pub(super) waits: Option<Wait>,
}

/// The records of a wait for a message.
#[derive(Clone)]
pub(super) struct Wait {
    /// The numbers of the wait's records. There are several if the wait was recorded again.
    pub(super) seqs: Vec<u64>,
    /// The kind of message that ends the wait.
    pub(super) kind: String,
}

#[derive(Clone)]
pub(super) struct PendingIntent {
    pub(super) effect: String,
    pub(super) class: Class,
    pub(super) fingerprint: Fingerprint,
    pub(super) attempt: u32,
    /// The number of earlier attempts that were cut off because the worker was killed.
    pub(super) deaths: u32,
    /// True if the user stopped or paused the run while the effect was in flight.
    pub(super) halted: bool,
    /// The number of the first attempt's record.
    pub(super) begun: u64,
}

impl PendingIntent {
    /// Returns the number of attempts that were cut off. The latest attempt counts too, unless the
    /// user stopped or paused the run during it.
    pub(super) fn deaths(&self) -> u32 {
        self.deaths + u32::from(!self.halted)
    }
}

impl Index {
    pub(super) fn of(records: &[Record]) -> Self {
        let mut index = Self::default();
        for record in records {
            index.take(record);
        }
        index
    }

    pub(super) fn take(&mut self, record: &Record) {
        let path = &record.path;
        match &record.entry {
            Entry::Intent {
                effect,
                class,
                fingerprint,
                attempt,
                ..
            } => {
                let slot = self.slot(path);
                slot.intent = Some(PendingIntent {
                    deaths: slot.intent.as_ref().map_or(0, PendingIntent::deaths),
                    halted: false,
                    begun: slot.intent.as_ref().map_or(record.seq, |it| it.begun),
                    effect: effect.clone(),
                    class: *class,
                    fingerprint: fingerprint.clone(),
                    attempt: *attempt,
                });
            }
            Entry::Outcome { body } => self.slot(path).outcome = Some(body.clone()),
            Entry::Stopped { stop, .. } => {
                self.stopped = Some(stop.after(self.stopped));
                // A stop halts the whole run, so it counts for every intent. A parallel branch may
                // have been dropped without a record of the stop. A restart of the browser doesn't
                // count, since the step itself may have made the browser crash.
                if *stop != Stop::Restart {
                    let intents = self.slots.values_mut().filter_map(|it| it.intent.as_mut());
                    intents.for_each(|intent| intent.halted = true);
                }
            }
            Entry::Note { topic, body } => {
                self.slot(path).note = Some((topic.clone(), body.clone()));
            }
            Entry::Continued => self.stopped = None,
            Entry::Arrived {
                message,
                kind,
                body,
            } => self.inbox.push(StoredMessage {
                id: message.clone(),
                kind: kind.clone(),
                body: body.clone(),
                gone: false,
                heard: false,
            }),
            Entry::Withdrawn { message } => self.go(std::slice::from_ref(message)),
            Entry::MessagesRead { messages } => {
                self.go(messages);
                for letter in &mut self.inbox {
                    letter.heard |= messages.contains(&letter.id);
                }
                self.slot(path).heard = Some(messages.clone());
            }
            Entry::Waiting { kind, .. } => {
                let slot = self.slot(path);
                let mut seqs = slot.waits.take().map_or_else(Vec::new, |waits| waits.seqs);
                seqs.push(record.seq);
                slot.waits = Some(Wait {
                    seqs,
                    kind: kind.clone(),
                });
            }
            Entry::Restarted {
                gathered, keeps, ..
            } => {
                // The new code reads the unread messages, except answers to questions of the old
                // code. The new code asks its own questions.
                for letter in &mut self.inbox {
                    letter.gone |= answers(&letter.id, &letter.kind).is_some();
                }
                self.slots.retain(|path, _| keeps.contains(path));
                self.panics.clear();
                self.gathered = Some(gathered.clone());
                self.renewals += 1;
            }
            Entry::Panicked { message } => {
                let (count, words) = self.panics.or_default(path.clone());
                *count += 1;
                words.clone_from(message);
            }
            Entry::Begun { forked, .. } => self.forked.clone_from(forked),
            Entry::Resumed | Entry::Shown { .. } | Entry::Left | Entry::Ended { .. } => {}
        }
    }

    fn slot(&mut self, path: &Path) -> &mut PathRecords {
        self.slots.or_default(path.clone())
    }

    fn go(&mut self, messages: &[String]) {
        for letter in &mut self.inbox {
            letter.gone |= messages.contains(&letter.id);
        }
    }

    /// Returns true if a message with this id ever arrived.
    pub(super) fn has_letter(&self, id: &str) -> bool {
        self.inbox.iter().any(|letter| letter.id == id)
    }

    pub(super) fn letters(&self, wanted: impl Fn(&StoredMessage) -> bool) -> Vec<StoredMessage> {
        let letters = self.inbox.iter().filter(|letter| wanted(letter));
        letters.cloned().collect()
    }

    /// Returns the data that the run carried over when its code last changed.
    pub(super) fn gathered(&self) -> Option<Value> {
        self.gathered.clone()
    }

    /// Returns the path for a step's idempotency key. If the run was started over with new code, a
    /// prefix is added, because the new code may use the path for another action.
    pub(super) fn key(&self, path: &Path) -> Path {
        match self.renewals {
            0 => path.clone(),
            renewals => Path::root().child(format_args!("renewed.{renewals}/{path}")),
        }
    }

    /// Returns the run that began the action at or below a path, if the action was copied from
    /// another run.
    pub(super) fn author(&self, path: &Path) -> Option<&RunId> {
        let forked = self.forked.as_ref()?;
        let act = self.slots.iter().filter(|(at, _)| at.is_within(path));
        let begun = act.filter_map(|(_, slot)| Some(slot.intent.as_ref()?.begun));
        forked.author(begun.min()?)
    }

    pub(super) fn get(&self, path: &Path) -> PathRecords {
        self.slots.get(path).cloned().unwrap_or_default()
    }

    /// Returns the stop of the run, if the user has not continued the run since then. The stop
    /// applies to the whole run, including branches in which no stop was recorded.
    pub(super) fn stopped(&self) -> Option<Stop> {
        self.stopped
    }

    /// Returns the last panic's message if this step panicked in at least two lives; otherwise
    /// `None`.
    pub(super) fn panicked_twice(&self, path: &Path) -> Option<String> {
        let (count, words) = self.panics.get(path)?;
        (*count >= 2).then(|| words.clone())
    }
}
