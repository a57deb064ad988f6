//! Where a run stands in its life: folds over its records.

use super::{Entry, Path, Record};

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
    open_wait(records).is_some()
}

/// The record of what the run waits for, if it waits.
pub fn open_wait(records: &[Record]) -> Option<&Record> {
    let mut waits: Option<(&Record, &str)> = None;
    for record in records {
        match &record.entry {
            Entry::Waits { kind, .. } => waits = Some((record, kind)),
            Entry::Arrived { kind, .. } if waits.is_some_and(|(_, wanted)| wanted == kind) => {
                waits = None;
            }
            Entry::Heard { .. } if waits.is_some_and(|(wait, _)| wait.path == record.path) => {
                waits = None;
            }
            _ => {}
        }
    }
    waits.map(|(wait, _)| wait)
}

/// The step that was begun last and not finished; the run itself if there is none.
pub fn last_pending(records: &[Record]) -> Path {
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
