//! What earlier lives recorded, by path.

use super::inbox::{Letter, answers};
use super::{Body, Class, Entry, Fingerprint, Fork, Path, Record, RunId, Stop};
use crate::sorted::SortedMap;
use serde_json::Value;

/// The recorded steps of a run.
#[derive(Default)]
pub(super) struct Index {
    slots: SortedMap<Path, Slot>,
    stopped: Option<Stop>,
    panics: SortedMap<Path, (u32, String)>,
    inbox: Vec<Letter>,
    gathered: Option<Value>,
    renewals: u32,
    forked: Option<Fork>,
}

/// What is recorded under one path.
#[derive(Default, Clone)]
pub(super) struct Slot {
    pub(super) intent: Option<Intent>,
    pub(super) outcome: Option<Body>,
    pub(super) note: Option<(String, Value)>,
    /// The messages that were taken here.
    pub(super) heard: Option<Vec<String>>,
    /// The run waits here for a message.
    pub(super) waits: Option<Waiting>,
}

/// The wait under a path.
#[derive(Clone)]
pub(super) struct Waiting {
    /// Its records: more than one if it was noted again.
    pub(super) seqs: Vec<u64>,
    /// The kind of message.
    pub(super) kind: String,
    /// Whether it ends by itself.
    pub(super) is_timed: bool,
}

/// The last intent under a path.
#[derive(Clone)]
pub(super) struct Intent {
    pub(super) effect: String,
    pub(super) class: Class,
    pub(super) fingerprint: Fingerprint,
    pub(super) attempt: u32,
    /// How many attempts before it ended with their life.
    pub(super) deaths: u32,
    /// The person stopped or paused the run while it was in flight.
    pub(super) halted: bool,
    /// The record of the first attempt.
    pub(super) begun: u64,
}

impl Intent {
    /// How many attempts ended with their life, if this one has no outcome.
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
                slot.intent = Some(Intent {
                    deaths: slot.intent.as_ref().map_or(0, Intent::deaths),
                    halted: false,
                    begun: slot.intent.as_ref().map_or(record.seq, |it| it.begun),
                    effect: effect.clone(),
                    class: *class,
                    fingerprint: fingerprint.clone(),
                    attempt: *attempt,
                });
            }
            Entry::Outcome { body } => self.slot(path).outcome = Some(body.clone()),
            Entry::Gone { stop, .. } => {
                self.stopped = Some(stop.after(self.stopped));
                // A stop is the whole run's: a branch may have been dropped unheard. What
                // a restart cut off may have caused it.
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
            } => self.inbox.push(Letter {
                id: message.clone(),
                kind: kind.clone(),
                body: body.clone(),
                gone: false,
                heard: false,
            }),
            Entry::Withdrawn { message } => self.go(std::slice::from_ref(message)),
            Entry::Heard { messages } => {
                self.go(messages);
                for letter in &mut self.inbox {
                    letter.heard |= messages.contains(&letter.id);
                }
                self.slot(path).heard = Some(messages.clone());
            }
            Entry::Waits {
                kind, within_ms, ..
            } => {
                let slot = self.slot(path);
                let mut seqs = slot.waits.take().map_or_else(Vec::new, |waits| waits.seqs);
                seqs.push(record.seq);
                slot.waits = Some(Waiting {
                    seqs,
                    kind: kind.clone(),
                    is_timed: within_ms.is_some(),
                });
            }
            Entry::Renewed {
                gathered, keeps, ..
            } => {
                // What nobody took yet is read by the code that goes on, but no answer:
                // what it asks now is another question.
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
            Entry::Woken | Entry::Shown { .. } | Entry::Left | Entry::Ended { .. } => {}
        }
    }

    fn slot(&mut self, path: &Path) -> &mut Slot {
        self.slots.or_default(path.clone())
    }

    fn go(&mut self, messages: &[String]) {
        for letter in &mut self.inbox {
            letter.gone |= messages.contains(&letter.id);
        }
    }

    /// Whether a message of this id ever came.
    pub(super) fn has_letter(&self, id: &str) -> bool {
        self.inbox.iter().any(|letter| letter.id == id)
    }

    /// The messages that satisfy `wanted`, oldest first.
    pub(super) fn letters(&self, wanted: impl Fn(&Letter) -> bool) -> Vec<Letter> {
        let letters = self.inbox.iter().filter(|letter| wanted(letter));
        letters.cloned().collect()
    }

    /// What the last renewal gathered.
    pub(super) fn gathered(&self) -> Option<Value> {
        self.gathered.clone()
    }

    /// The idempotency key of a step: its path, and another after each renewal, as
    /// what stands at a path may be another thing then.
    pub(super) fn key(&self, path: &Path) -> Path {
        match self.renewals {
            0 => path.clone(),
            renewals => Path::root().child(format_args!("renewed.{renewals}/{path}")),
        }
    }

    /// The run whose act stands at a path, or below, if a fork copied its beginning
    /// from another.
    pub(super) fn author(&self, path: &Path) -> Option<&RunId> {
        let forked = self.forked.as_ref()?;
        let act = self.slots.iter().filter(|(at, _)| at.is_within(path));
        let begun = act.filter_map(|(_, slot)| Some(slot.intent.as_ref()?.begun));
        forked.author(begun.min()?)
    }

    pub(super) fn get(&self, path: &Path) -> Slot {
        self.slots.get(path).cloned().unwrap_or_default()
    }

    /// Whether the run was stopped and not let go on since. A stop is the whole
    /// run's: a branch that had not noticed it must not act in the next life.
    pub(super) fn stopped(&self) -> Option<Stop> {
        self.stopped
    }

    /// The last panic's words, if two lives ended in one at this step.
    pub(super) fn panicked_twice(&self, path: &Path) -> Option<String> {
        let (count, words) = self.panics.get(path)?;
        (*count >= 2).then(|| words.clone())
    }
}
