//! The records of a journal.
//!
//! Persisted format: it carries a version, unknown fields are skipped, and corrupt data is an
//! error. A fixture (`tests/fixtures/journal_v1.json`) fails when it
//! changes.

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
    /// The time of recording in milliseconds since the Unix epoch, for readers and for
    /// [`super::Ctx::active_ms`]. No replay depends on it.
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
        /// The origin of the run, if it is a fork.
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
        /// The number of the attempt, from 1; more after a kill or a stop.
        attempt: u32,
        /// The data for readers of the journal.
        #[serde(default, skip_serializing_if = "Value::is_null")]
        label: Value,
    },
    /// The effect was performed.
    Outcome {
        /// The result of the effect.
        body: Body,
    },
    /// The effect was dropped half-way, or the run was halted between steps.
    Stopped {
        /// The text that had been streamed by then.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        partial: String,
        /// The stop that caused it.
        stop: super::Stop,
    },
    /// A fact that the run records without an effect.
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
        /// The message's kind; a wait names the kind that it accepts.
        kind: String,
        /// The message's content.
        body: Value,
    },
    /// A message was withdrawn before the run read it.
    Withdrawn {
        /// The message's id.
        message: String,
    },
    /// A place in the run read these messages; finding none is recorded too.
    MessagesRead {
        /// The messages' ids.
        messages: Vec<String>,
    },
    /// The run can't continue until a message arrives; no worker has to live meanwhile.
    Waiting {
        /// The kind of message that it waits for.
        kind: String,
        /// The reason for the wait.
        body: Value,
        /// The time limit of the wait, in milliseconds of the wall clock from this record on. A new
        /// record under the same path restarts it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        within_ms: Option<u64>,
    },
    /// The code changed and can't replay the records: the run starts over with the data that was
    /// carried over.
    Restarted {
        /// The revision of the code that continues.
        revision: String,
        /// The data that the run carries over.
        gathered: Value,
        /// The steps whose outcomes remain valid.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        keeps: Vec<Path>,
    },
    /// The user opened the run's conversation again.
    Shown {
        /// The place where it was opened.
        place: Value,
    },
    /// A new life resumed the run.
    Resumed,
    /// The user continued a stopped run.
    Continued,
    /// The user started a new conversation after this run, so its tab no longer shows this one.
    Left,
    /// A worker panicked while this run was being polled.
    Panicked {
        /// The panic's message.
        message: String,
    },
    /// The run ended; a `Continued` may follow.
    Ended {
        /// The kind of ending, with its data.
        body: Value,
    },
}

impl Entry {
    /// A halt of the whole run while no step is in flight.
    pub fn halt(stop: super::Stop) -> Self {
        Self::Stopped {
            partial: String::new(),
            stop,
        }
    }
}

/// A recorded value: in the record or, over 32 KB, among the blobs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// The value itself.
    Inline(Value),
    /// The hash under which the blobs contain its JSON text.
    Blob(String),
}

/// The reason for which a journal can't be read. The journal is kept for export.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unreadable {
    /// The journal was written by a newer Gloss.
    #[error("written by a newer version of Gloss (format {0})")]
    Newer(u16),
    /// The journal is not what this or an earlier version wrote.
    #[error("damaged: {0}")]
    Corrupt(String),
}

/// Sorts batches into journals: each run's records in order, and the number of its next batch.
///
/// `batches` is the content of both tiers in any order; a batch in both is the same one. A number
/// may be missing: storage was full, refused that batch and accepted a later one. The life that
/// wrote the missing batch ended there. A batch behind the gap is read if its records follow those
/// that were stored, since a later life wrote it. Otherwise it is skipped, unless it contains an
/// External effect, which makes the journal unreadable.
///
/// The returned number is above every stored one, so that the batches of later lives come last.
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
