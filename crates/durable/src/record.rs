//! The records of a journal.
//!
//! Stored records must stay readable after updates of Gloss: each record has a version, unknown
//! fields are skipped, and damaged data is an error. A test fails if the format no longer matches
//! the fixture `tests/fixtures/journal_v1.json`.

use super::checksum::{add_checksum, strip_checksum};
use super::{Class, Fingerprint, Path, RunId, StoredBatch};
use crate::json;
use crate::sorted::SortedMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

/// The version of [`Record`] that this code writes.
pub(super) const VERSION: u16 = 1;

/// One record of a journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The version of the format.
    pub v: u16,
    /// The record's number in the journal, from 0.
    pub seq: u64,
    /// The path of the step, or the root.
    pub path: Path,
    /// The time of recording, in milliseconds since the Unix epoch. Readers of the journal and
    /// [`super::Ctx::active_ms`] use the time. It has no effect on a replay.
    pub at_ms: u64,
    /// The content of the record.
    pub entry: Entry,
}

/// The content of a record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Entry {
    /// The run began; always the first record.
    Begun {
        /// The run's configuration.
        config: Value,
        /// The revision of the code that began the run.
        revision: String,
        /// The run and the record from which this run was forked; `None` if this run is not a fork.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        forked: Option<super::Fork>,
    },
    /// An effect is about to be performed.
    Intent {
        /// The effect's kind.
        effect: String,
        /// The class of the effect.
        class: Class,
        /// The fingerprint of the request.
        fingerprint: Fingerprint,
        /// The number of the attempt, from 1. The number is above 1 if an earlier attempt was cut
        /// off or stopped.
        attempt: u32,
        /// Data about the effect for readers of the journal.
        #[serde(default, skip_serializing_if = "Value::is_null")]
        label: Value,
    },
    /// The effect was performed.
    Outcome {
        /// The result of the effect.
        body: Body,
    },
    /// The effect was cancelled before it finished, or the run was halted between two steps.
    Stopped {
        /// The text that the effect had streamed before it was cancelled.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        partial: String,
        /// The stop that was requested.
        stop: super::Stop,
    },
    /// A fact that the run records without performing an effect.
    Note {
        /// The fact's topic.
        topic: String,
        /// The fact as JSON.
        body: Value,
    },
    /// A message for the run arrived; each message is recorded once.
    Arrived {
        /// The message's id.
        message: String,
        /// The message's kind. A wait accepts messages of one kind.
        kind: String,
        /// The message's content.
        body: Value,
    },
    /// A message was withdrawn before the run read it.
    Withdrawn {
        /// The message's id.
        message: String,
    },
    /// The step with this path read messages from the inbox.
    MessagesRead {
        /// The ids of the messages; empty if none was found.
        messages: Vec<String>,
    },
    /// The run can't continue until a message arrives. The worker may end during the wait.
    Waiting {
        /// The kind of message that ends the wait.
        kind: String,
        /// The reason for the wait.
        body: Value,
        /// The time limit of the wait, in milliseconds of the wall clock after the time of this
        /// record. If another `Waiting` record under the same path follows, the time starts again.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        within_ms: Option<u64>,
    },
    /// The code changed and can't replay the records. The run starts over, with data from the old
    /// records.
    Restarted {
        /// The revision of the new code.
        revision: String,
        /// The data from the old records with which the run starts over.
        gathered: Value,
        /// The steps whose recorded outcomes remain valid.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        keeps: Vec<Path>,
    },
    /// The user opened the run's conversation again.
    Shown {
        /// The surface or tab in which it was opened, as JSON.
        place: Value,
    },
    /// A new life resumed the run.
    Resumed,
    /// The user continued a stopped run.
    Continued,
    /// The user started a new conversation in the tab that showed this run. The tab no longer shows
    /// this run.
    Left,
    /// A worker panicked while this run was being polled.
    Panicked {
        /// The panic's message.
        message: String,
    },
    /// The run ended. If the user continues it, a `Continued` record follows.
    Ended {
        /// The kind of ending, with its data.
        body: Value,
    },
}

impl Entry {
    /// Returns the entry for a stop of the run while no step is in flight.
    pub fn halt(stop: super::Stop) -> Self {
        Self::Stopped {
            partial: String::new(),
            stop,
        }
    }
}

/// A recorded value. A value is stored in the record if its JSON text has at most 32 KB. A larger
/// value is stored in [`super::Blobs`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// The value itself.
    Inline(Value),
    /// The hash of the value's JSON text. [`super::Blobs`] stores the text under this hash.
    Blob(String),
}

/// The reason that a journal can't be read. An unreadable journal is not deleted, so that the user
/// can export it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unreadable {
    /// The journal was written by a newer Gloss.
    #[error("written by a newer version of Gloss (format {0})")]
    Newer(u16),
    /// The data is damaged: no version of Gloss writes such data.
    #[error("damaged: {0}")]
    Corrupt(String),
}

/// Sorts batches into journals. Returns, for each run, the number for its next batch and its
/// records in order.
///
/// `batches` are all batches of session storage and the archive, in any order. A batch that is in
/// both storages counts once.
///
/// A number may be missing: session storage was full, refused one batch and accepted a later,
/// smaller one. The batch after such a gap is used if its first record continues the records before
/// the gap. In that case a later life wrote the batch. Otherwise the batch is skipped. If a skipped
/// batch contains an External effect, the journal is unreadable.
/// The next batch's number is larger than every stored number, so that new batches come last.
pub fn read_batches(
    batches: Vec<StoredBatch>,
) -> SortedMap<RunId, Result<(u64, Vec<Record>), Unreadable>> {
    let mut runs: SortedMap<RunId, SortedMap<u64, String>> = SortedMap::new();
    for batch in batches {
        runs.or_default(batch.run)
            .insert(batch.number, batch.records);
    }
    let mut read = SortedMap::new();
    for (run, batches) in runs {
        read.insert(run, read_run(&batches));
    }
    read
}

fn read_run(batches: &SortedMap<u64, String>) -> Result<(u64, Vec<Record>), Unreadable> {
    let mut records: Vec<Record> = Vec::new();
    let mut next = 0;
    for (number, json) in batches {
        let batch = read_batch(json)?;
        next = number.saturating_add(1);
        let first = batch.first().map_or(0, |record| record.seq);
        if first <= records.len() as u64 {
            records.extend(batch);
        } else if batch.iter().any(acts) {
            return Err(Unreadable::Corrupt(
                "the records before an external effect are missing".to_owned(),
            ));
        }
    }
    let in_order = records
        .iter()
        .enumerate()
        .all(|(place, record): (usize, &Record)| record.seq == place as u64);
    if !in_order {
        return Err(Unreadable::Corrupt("records are out of order".to_owned()));
    }
    if !matches!(
        records.first().map(|record| &record.entry),
        Some(Entry::Begun { .. })
    ) {
        return Err(Unreadable::Corrupt(
            "the first record is missing".to_owned(),
        ));
    }
    Ok((next, records))
}

fn acts(record: &Record) -> bool {
    matches!(
        record.entry,
        Entry::Intent {
            class: Class::External,
            ..
        }
    )
}

/// Returns a batch in its stored form.
pub(super) fn write_batch(batch: &[Record]) -> serde_json::Result<String> {
    serde_json::to_string(batch).map(|json| add_checksum(&json))
}

fn read_batch(text: &str) -> Result<Vec<Record>, Unreadable> {
    #[derive(Deserialize)]
    struct Envelope {
        v: u16,
    }
    let corrupt = |error: serde_json::Error| Unreadable::Corrupt(error.to_string());
    let json =
        strip_checksum(text).ok_or_else(|| Unreadable::Corrupt("its sum differs".to_owned()))?;
    let batch: Value = serde_json::from_str(json).map_err(corrupt)?;
    let envelopes = json::read::<Vec<Envelope>>(&batch).map_err(corrupt)?;
    if let Some(newer) = envelopes.iter().find(|envelope| envelope.v > VERSION) {
        return Err(Unreadable::Newer(newer.v));
    }
    json::read::<Vec<_>>(&batch).map_err(corrupt)
}
