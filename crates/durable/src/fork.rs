//! Forks: runs that continue another run from one of its earlier steps.
//!
//! Example: the user goes back to step 2 and edits something in step 2. The journal of the
//! fork begins with a copy of the original journal's records up to step 2. The fork replays the
//! copied records without performing their effects again. It performs all later effects itself. The
//! original journal doesn't change.

use super::{Entry, Journal, Listener, Path, Ports, Record, RunId, has_ended, was_stopped};
use crate::sorted::SortedSet;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::rc::Rc;

/// The origin of a fork: the original run, and the last record that was copied from it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fork {
    /// The original run.
    pub run: RunId,
    /// The number of the last copied record. The fork itself made all later records.
    pub seq: u64,
    /// The origin of the original run, if that run is a fork too.
    pub of: Option<Box<Fork>>,
}

impl Fork {
    /// Returns the run that first recorded a copied record; `None` for the fork's own records.
    pub(super) fn author(&self, seq: u64) -> Option<&RunId> {
        if seq > self.seq {
            return None;
        }
        let before = self.of.as_deref().and_then(|of| of.author(seq));
        Some(before.unwrap_or(&self.run))
    }
}

impl Journal {
    /// Creates the journal of a fork of the run `from`. `copied` contains the records of `from` up
    /// to the fork, with their numbers and paths. `config` replaces the configuration in the first
    /// record. All records are written as one batch, so that the fork is stored completely or not
    /// at all. The write is issued before this function returns.
    ///
    /// If the copied run is stopped or has ended, the fork is continued. Messages that `from` has
    /// not read are withdrawn from the fork. If an effect has an intent but no outcome in `copied`,
    /// both runs use the same [`super::Key`] for it.
    pub fn fork(
        run: RunId,
        from: &RunId,
        config: &impl Serialize,
        copied: Vec<Record>,
        ports: &Ports,
        listener: Rc<dyn Listener>,
    ) -> Rc<Self> {
        let now_ms = ports.clock.now_ms();
        let seq = copied.len().saturating_sub(1) as u64;
        let mut records = copied;
        if let Some(Record {
            at_ms,
            entry:
                Entry::Begun {
                    config: old,
                    forked,
                    ..
                },
            ..
        }) = records.first_mut()
        {
            *at_ms = now_ms;
            *old = serde_json::to_value(config).unwrap_or(Value::Null);
            let run = from.clone();
            let of = forked.take().map(Box::new);
            *forked = Some(Fork { run, seq, of });
        }
        let left: Vec<String> = unread(&records)
            .into_iter()
            // A message whose id begins with the fork's id was sent to the fork, so it is not
            // withdrawn.
            .filter(|message| !message.starts_with(&run.0))
            .collect();
        let halted = was_stopped(&records) || has_ended(&records);
        let journal = Self::recovered(run, 0, Vec::new(), ports, listener);
        journal.copy_records(records);
        for message in left {
            journal.record_and_index(&Path::root(), Entry::Withdrawn { message });
        }
        if halted {
            journal.record_and_index(&Path::root(), Entry::Continued);
        }
        journal.flush();
        journal
    }
}

/// Returns the ids of the messages that arrived and were neither read nor withdrawn.
fn unread(records: &[Record]) -> Vec<String> {
    let mut gone: SortedSet<&str> = SortedSet::new();
    let mut came: Vec<&str> = Vec::new();
    for record in records {
        match &record.entry {
            Entry::Arrived { message, .. } => came.push(message),
            Entry::Withdrawn { message } => {
                gone.insert(message);
            }
            Entry::MessagesRead { messages } => gone.extend(messages.iter().map(String::as_str)),
            _ => {}
        }
    }
    let left = came.into_iter().filter(|message| !gone.contains(message));
    left.map(str::to_owned).collect()
}
