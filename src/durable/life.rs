//! Where a run stands in its life: folds over its records.

use super::timers::{Elapsed, elapsed_id};
use super::{Entry, Message, Path, Record};

/// Whether the run ended and was not let go on since.
pub fn has_ended(records: &[Record]) -> bool {
    records
        .iter()
        .rev()
        .find_map(|record| match record.entry {
            Entry::Ended { .. } => Some(true),
            Entry::Continued => Some(false),
            _ => None,
        })
        .unwrap_or(false)
}

/// Whether the user stopped the run and has not let it go on since. A parallel
/// step may still have ended after another one was dropped.
pub fn was_stopped(records: &[Record]) -> bool {
    records
        .iter()
        .rev()
        .find_map(|record| match record.entry {
            Entry::Gone { .. } => Some(true),
            Entry::Continued => Some(false),
            _ => None,
        })
        .unwrap_or(false)
}

/// Whether the run waits for a message that has not come: driving it would do
/// nothing but wait again.
pub fn is_parked(records: &[Record]) -> bool {
    let waits = waits(records);
    !waits.is_empty() && waits.iter().all(Option::is_some)
}

/// The record of what the run waits for, if it waits: of several the newest.
pub fn open_wait(records: &[Record]) -> Option<&Record> {
    open_waits(records).pop()
}

/// The records of what the run waits for, in order.
pub fn open_waits(records: &[Record]) -> Vec<&Record> {
    waits(records).into_iter().flatten().collect()
}

/// The waits that no place has ended yet; `None` for one whose message has come.
fn waits(records: &[Record]) -> Vec<Option<&Record>> {
    let mut waits: Vec<(&Record, &str)> = Vec::new();
    let mut letters: Vec<(&str, &str)> = Vec::new();
    for record in records {
        match &record.entry {
            Entry::Waits { kind, .. } => {
                waits.retain(|(wait, _)| wait.path != record.path);
                waits.push((record, kind));
            }
            Entry::Arrived { message, kind, .. } => letters.push((message, kind)),
            Entry::Withdrawn { message } => letters.retain(|(id, _)| id != message),
            Entry::Heard { messages } => {
                waits.retain(|(wait, _)| wait.path != record.path);
                letters.retain(|(id, _)| !messages.iter().any(|taken| taken == id));
            }
            Entry::Renewed { .. } => waits.clear(),
            _ => {}
        }
    }
    let has_come = |wait: &Record, wanted: &str| {
        let elapsed = elapsed_id(wait.seq);
        let ends = |(id, kind): &(&str, &str)| {
            *id == elapsed || *kind == wanted && wanted != Elapsed::NAME
        };
        letters.iter().any(ends)
    };
    let open = waits.into_iter();
    open.map(|(wait, wanted)| (!has_come(wait, wanted)).then_some(wait))
        .collect()
}

/// The revision of the code that the run goes by: that of its beginning, or of its
/// last renewal.
pub fn revision(records: &[Record]) -> Option<&str> {
    records.iter().rev().find_map(|record| match &record.entry {
        Entry::Begun { revision, .. } | Entry::Renewed { revision, .. } => Some(revision.as_str()),
        _ => None,
    })
}

/// The step that was begun last and not finished; the run itself if there is none.
pub fn last_pending(records: &[Record]) -> Path {
    let renewed = |record: &Record| matches!(record.entry, Entry::Renewed { .. });
    let from = records.iter().rposition(renewed).unwrap_or(0);
    let records = records.get(from..).unwrap_or_default();
    let finished = |path: &Path, after: u64| {
        records.iter().any(|record| {
            record.seq > after
                && record.path == *path
                && matches!(record.entry, Entry::Outcome { .. } | Entry::Gone { .. })
        })
    };
    records
        .iter()
        .rev()
        .filter(|record| matches!(record.entry, Entry::Intent { .. }))
        .find(|record| !finished(&record.path, record.seq))
        .map(|record| record.path.clone())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::durable::{Body, Stop};

    fn stopped(entries: [Entry; 3]) -> bool {
        let records = entries.map(|entry| Record {
            v: 1,
            seq: 0,
            path: Path::root(),
            at_ms: 0,
            entry,
        });
        was_stopped(&records)
    }

    #[test]
    fn a_parallel_step_that_ends_after_the_stop_does_not_undo_it() {
        let gone = || Entry::Gone {
            partial: String::new(),
            stop: Stop::User,
        };
        let outcome = || Entry::Outcome {
            body: Body::Inline(serde_json::Value::Null),
        };
        assert!(stopped([Entry::Woken, gone(), outcome()]));
        assert!(!stopped([gone(), Entry::Continued, outcome()]));
        assert!(!stopped([Entry::Woken, outcome(), Entry::Woken]));
    }
}
