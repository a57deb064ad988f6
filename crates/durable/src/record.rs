//! What a journal is made of.
//!
//! A persisted shape: it carries a version, unknown fields are skipped, corrupt
//! data is an error, and fixtures (`tests/fixtures/journal_v*.json`: what each
//! version added) fail when it drifts.

use super::seal::{seal, unseal};
use super::{Class, Fingerprint, Path, RunId, StoredBatch};
use crate::json;
use crate::sorted::SortedMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

/// The version of [`Record`] that this code writes.
pub(super) const VERSION: u16 = 2;

/// One line of a journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The version of this shape.
    pub v: u16,
    /// Its place in the journal, from 0.
    pub seq: u64,
    /// Where in the run it happened.
    pub path: Path,
    /// When it was noted: for people, and for [`super::Ctx::active_ms`]. No replay depends on it.
    pub at_ms: u64,
    /// What it says.
    pub entry: Entry,
}

/// What a record says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Entry {
    /// The run began; always the first record.
    Begun {
        /// The run's configuration.
        brief: Value,
        /// The revision of the code that began it.
        revision: String,
        /// The run that this one goes on from, if it is a fork.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        forked: Option<super::Fork>,
    },
    /// An effect is about to be done.
    Intent {
        /// The effect's kind.
        effect: String,
        /// What an intent without an outcome means.
        class: Class,
        /// What it asks.
        fingerprint: Fingerprint,
        /// From 1; more after a kill or a stop.
        attempt: u32,
        /// What a reader of the journal should know of it.
        #[serde(default, skip_serializing_if = "Value::is_null")]
        label: Value,
    },
    /// The effect was done.
    Outcome {
        /// What came of it.
        body: Body,
    },
    /// The effect was dropped half-way.
    Gone {
        /// What had streamed by then.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        partial: String,
        /// Who dropped it.
        stop: super::Stop,
    },
    /// A fact that the run states without an effect.
    Note {
        /// The fact's topic.
        topic: String,
        /// The fact.
        body: Value,
    },
    /// Something came for the run from outside; each message once.
    Arrived {
        /// Its id.
        message: String,
        /// Which places take it.
        kind: String,
        /// What it says.
        body: Value,
    },
    /// A message was taken back before the run took it.
    Withdrawn {
        /// Its id.
        message: String,
    },
    /// A place that looks for messages took these; none is a finding too.
    Heard {
        /// Their ids.
        messages: Vec<String>,
    },
    /// The run can do nothing until a message comes: no worker need live.
    Waits {
        /// The kind of message.
        kind: String,
        /// What for.
        body: Value,
        /// How long it waits at most, in milliseconds of the wall clock from this
        /// record on; noted again under the same path, it waits anew.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        within_ms: Option<u64>,
    },
    /// The code changed and cannot replay what was recorded: the run goes on afresh
    /// with what was gathered until here.
    Renewed {
        /// The revision of the code that goes on.
        revision: String,
        /// What the run knows of what came before.
        gathered: Value,
        /// The steps whose outcomes still stand.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        keeps: Vec<Path>,
    },
    /// The person turned to the run's conversation again.
    Shown {
        /// Where.
        place: Value,
    },
    /// A new life took the run up.
    Woken,
    /// The user let a stopped run go on.
    Continued,
    /// The person began anew after this run: its conversation is no longer the
    /// one that its tab shows.
    Left,
    /// The last life ended in a panic while this run was being polled.
    Panicked {
        /// The panic's words.
        message: String,
    },
    /// The run ended; another `Continued` may follow.
    Ended {
        /// How.
        body: Value,
    },
}

impl Entry {
    /// A halt of the whole run while no step was in flight.
    pub fn halt(stop: super::Stop) -> Self {
        Self::Gone {
            partial: String::new(),
            stop,
        }
    }
}

/// A recorded value: in the record, or (over 32 KB) once under its hash.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// The value itself.
    Inline(Value),
    /// The name of its JSON text among the blobs.
    Blob(String),
}

/// Why a journal cannot be read. It is kept for export.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unreadable {
    /// Written by a newer Gloss.
    #[error("written by a newer version of Gloss (format {0})")]
    Newer(u16),
    /// Not what this or an earlier version wrote.
    #[error("damaged: {0}")]
    Corrupt(String),
}

/// Sorts a store's batches into journals: each run's records in order.
///
/// `batches` is what both tiers hold, in any order: a batch that stands in both is the
/// same one. A number may be missing: storage refused that batch, for want of room, and
/// took a later one. The life that it was refused to ended there, so what stands behind
/// the gap is either another life's, which goes on from what was stored and is read, or
/// begins with records that nobody can have (`seq`), and is passed over as never part of
/// the run. The number returned, the next batch's, is above everything stored, so that
/// later lives are read after it. Never passed over is an act on the world.
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

/// A batch as it is stored.
pub(super) fn write_batch(batch: &[Record]) -> serde_json::Result<String> {
    serde_json::to_string(batch).map(|json| seal(&json))
}

fn read_batch(text: &str) -> Result<Vec<Record>, Unreadable> {
    #[derive(Deserialize)]
    struct Envelope {
        v: u16,
    }
    let corrupt = |error: serde_json::Error| Unreadable::Corrupt(error.to_string());
    let json = unseal(text).ok_or_else(|| Unreadable::Corrupt("its sum differs".to_owned()))?;
    let batch: Value = serde_json::from_str(json).map_err(corrupt)?;
    let envelopes = json::read::<Vec<Envelope>>(&batch).map_err(corrupt)?;
    if let Some(newer) = envelopes.iter().find(|envelope| envelope.v > VERSION) {
        return Err(Unreadable::Newer(newer.v));
    }
    json::read::<Vec<_>>(&batch).map_err(corrupt)
}
