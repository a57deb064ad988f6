//! A run that goes on from the middle of another.
//!
//! Driving example: the person steps back to step 2 and says something else there.
//! The new journal begins with a copy of the old one's records up to that place:
//! they replay without doing anything, and what follows is done anew. The old
//! journal is only read.

use super::{Entry, Journal, Listener, Path, Ports, Record, RunId, has_ended, was_stopped};
use crate::sorted::SortedSet;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::rc::Rc;

/// Where a run was forked from another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fork {
    /// The other run.
    pub run: RunId,
    /// The last record that was copied: what follows is the fork's own.
    pub seq: u64,
    /// Where that run was forked itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<Box<Fork>>,
}

impl Fork {
    /// The run that noted a copied record first; `None` for the fork's own.
    pub(super) fn author(&self, seq: u64) -> Option<&RunId> {
        if seq > self.seq {
            return None;
        }
        let before = self.of.as_deref().and_then(|of| of.author(seq));
        Some(before.unwrap_or(&self.run))
    }
}

impl Journal {
    /// The journal of a fork of the run `from`: `copied` are that run's records up to
    /// where it was forked, numbers and paths kept, and `brief` takes the place of its
    /// configuration. All of it is issued as one batch before this returns, so that a
    /// fork is there whole or not at all.
    ///
    /// A halt of the copied run is lifted, and messages that it had not read stay
    /// with it. An act that was in flight keeps its [`super::Key`], whichever of the two
    /// runs does it again.
    pub fn fork(
        run: RunId,
        from: &RunId,
        brief: &impl Serialize,
        copied: Vec<Record>,
        ports: &Ports,
        listener: Rc<dyn Listener>,
    ) -> Rc<Self> {
        let now_ms = ports.clock.now_ms();
        let seq = copied.len().saturating_sub(1) as u64;
        let mut records = copied;
        if let Some(Record {
            at_ms,
            entry: Entry::Begun {
                brief: old, forked, ..
            },
            ..
        }) = records.first_mut()
        {
            *at_ms = now_ms;
            *old = serde_json::to_value(brief).unwrap_or(Value::Null);
            let run = from.clone();
            let of = forked.take().map(Box::new);
            *forked = Some(Fork { run, seq, of });
        }
        let left: Vec<String> = unread(&records)
            .into_iter()
            // What the fork itself is told is its own, and named after it.
            .filter(|message| !message.starts_with(&run.0))
            .collect();
        let halted = was_stopped(&records) || has_ended(&records);
        let journal = Self::recovered(run, 0, Vec::new(), ports, listener);
        journal.adopt(records);
        for message in left {
            journal.take_in(&Path::root(), Entry::Withdrawn { message });
        }
        if halted {
            journal.take_in(&Path::root(), Entry::Continued);
        }
        journal.flush();
        journal
    }
}

/// The messages that came and that nobody took.
fn unread(records: &[Record]) -> Vec<String> {
    let mut gone: SortedSet<&str> = SortedSet::new();
    let mut came: Vec<&str> = Vec::new();
    for record in records {
        match &record.entry {
            Entry::Arrived { message, .. } => came.push(message),
            Entry::Withdrawn { message } => {
                gone.insert(message);
            }
            Entry::Heard { messages } => gone.extend(messages.iter().map(String::as_str)),
            _ => {}
        }
    }
    let left = came.into_iter().filter(|message| !gone.contains(message));
    left.map(str::to_owned).collect()
}
