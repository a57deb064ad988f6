//! Computes the state of a run from its records: for example ended, paused or parked.

use super::message::{answers, ends};
use super::{Ctx, Entry, Path, Record, Stop};

/// Returns true if the run ended and the user has not continued it since then.
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

/// Returns the stop that halts the run. Returns `None` if the run was not stopped, or the user has
/// continued it since then. The stop need not be the last record, because parallel steps may record
/// outcomes after the stop.
pub fn halted_by(records: &[Record]) -> Option<Stop> {
    let mut halted = None;
    for record in records {
        match record.entry {
            Entry::Stopped { stop, .. } => halted = Some(stop.after(halted)),
            Entry::Continued => halted = None,
            _ => {}
        }
    }
    halted
}

/// Returns true if the user stopped or paused the run, or a restart interrupted it, and the user
/// has not continued the run since then.
pub fn was_stopped(records: &[Record]) -> bool {
    halted_by(records).is_some()
}

/// Returns true if the run is halted until the user continues it. Returns false if the run has
/// ended.
pub fn is_paused(records: &[Record]) -> bool {
    halted_by(records).is_some_and(|stop| !stop.ends()) && !has_ended(records)
}

/// Returns true if the run waits for messages, and none of these messages has arrived. Running the
/// run's code now would be useless, because the code would halt at the same waits.
pub fn is_parked(records: &[Record]) -> bool {
    let waits = waits(records);
    !waits.is_empty() && waits.iter().all(Option::is_some)
}

/// Returns the newest wait whose message has not arrived.
pub fn open_wait(records: &[Record]) -> Option<&Record> {
    open_waits(records).pop()
}

/// Returns the waits whose message has not arrived, in order.
pub fn open_waits(records: &[Record]) -> Vec<&Record> {
    waits(records).into_iter().flatten().collect()
}

/// Returns an entry for each wait whose message the run has not read yet: the wait's record, or
/// `None` if the message has arrived.
fn waits(records: &[Record]) -> Vec<Option<&Record>> {
    struct Wait<'a> {
        last: &'a Record,
        kind: &'a str,
        seqs: Vec<u64>,
    }
    let mut waits: Vec<Wait> = Vec::new();
    let mut letters: Vec<(&str, &str)> = Vec::new();
    for record in records {
        match &record.entry {
            Entry::Waiting { kind, .. } => {
                let place = waits.iter().position(|wait| wait.last.path == record.path);
                let mut seqs = place.map_or_else(Vec::new, |place| waits.remove(place).seqs);
                seqs.push(record.seq);
                let last = record;
                waits.push(Wait { last, kind, seqs });
            }
            Entry::Arrived { message, kind, .. } => letters.push((message, kind)),
            Entry::Withdrawn { message } => letters.retain(|(id, _)| id != message),
            Entry::MessagesRead { messages } => {
                waits.retain(|wait| wait.last.path != record.path);
                letters.retain(|(id, _)| !messages.iter().any(|taken| taken == id));
            }
            Entry::Restarted { .. } => {
                waits.clear();
                letters.retain(|(id, kind)| answers(id, kind).is_none());
            }
            _ => {}
        }
    }
    let has_come = |wait: &Wait| {
        let mut letters = letters.iter();
        letters.any(|letter| ends(*letter, wait.kind, &wait.seqs))
    };
    let open = waits.iter();
    open.map(|wait| (!has_come(wait)).then_some(wait.last))
        .collect()
}

/// Returns the revision of the code that began the run, or of the code with which it last started
/// over.
pub fn revision(records: &[Record]) -> Option<&str> {
    records.iter().rev().find_map(|record| match &record.entry {
        Entry::Begun { revision, .. } | Entry::Restarted { revision, .. } => {
            Some(revision.as_str())
        }
        _ => None,
    })
}

impl Ctx {
    /// Returns the time at which the step `segment` below this path last began, in milliseconds
    /// since the Unix epoch. Returns 0 if the step never began.
    pub fn begun_at_ms(&self, segment: impl std::fmt::Display) -> u64 {
        let path = self.at(segment).path;
        let begins =
            |record: &&Record| record.path == path && matches!(record.entry, Entry::Intent { .. });
        self.journal.read(|records| {
            let begun = records.iter().rev().find(begins);
            begun.map_or(0, |record| record.at_ms)
        })
    }
}

/// Returns the path of the step that began last and has neither an outcome nor a stop. Returns the
/// root if there is no such step.
pub fn last_pending_step(records: &[Record]) -> Path {
    let renewed = |record: &Record| matches!(record.entry, Entry::Restarted { .. });
    let from = records.iter().rposition(renewed).unwrap_or(0);
    let records = records.get(from..).unwrap_or_default();
    let finished = |path: &Path, after: u64| {
        records.iter().any(|record| {
            record.seq > after
                && record.path == *path
                && matches!(record.entry, Entry::Outcome { .. } | Entry::Stopped { .. })
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
    use crate::Body;

    fn journal(entries: &[Entry]) -> Vec<Record> {
        let record = |entry: &Entry| Record {
            v: 1,
            seq: 0,
            path: Path::root(),
            at_ms: 0,
            entry: entry.clone(),
        };
        entries.iter().map(record).collect()
    }

    fn stopped(entries: &[Entry]) -> bool {
        was_stopped(&journal(entries))
    }

    #[test]
    fn a_stop_outweighs_a_pause_and_either_holds_until_it_is_continued() {
        let (pause, restart, user) = (
            Entry::halt(Stop::Pause),
            Entry::halt(Stop::Restart),
            Entry::halt(Stop::User),
        );
        let on = Entry::Continued;
        let ended = Entry::Ended {
            body: serde_json::Value::Null,
        };
        for (entries, by, paused) in [
            (vec![], None, false),
            (vec![&pause], Some(Stop::Pause), true),
            (vec![&restart, &pause], Some(Stop::Restart), true),
            (vec![&pause, &user], Some(Stop::User), false),
            (vec![&user, &pause], Some(Stop::User), false),
            (vec![&pause, &on], None, false),
            (vec![&pause, &on, &pause], Some(Stop::Pause), true),
            (vec![&user, &ended, &on, &pause], Some(Stop::Pause), true),
            (vec![&pause, &user, &ended], Some(Stop::User), false),
        ] {
            let entries: Vec<Entry> = entries.into_iter().cloned().collect();
            let records = journal(&entries);
            assert_eq!(halted_by(&records), by, "{entries:?}");
            assert_eq!(is_paused(&records), paused, "{entries:?}");
        }
    }

    #[test]
    fn a_parallel_step_that_ends_after_the_stop_does_not_undo_it() {
        let gone = || Entry::halt(Stop::User);
        let outcome = || Entry::Outcome {
            body: Body::Inline(serde_json::Value::Null),
        };
        assert!(stopped(&[Entry::Resumed, gone(), outcome()]));
        assert!(!stopped(&[gone(), Entry::Continued, outcome()]));
        assert!(!stopped(&[Entry::Resumed, outcome(), Entry::Resumed]));
    }
}
