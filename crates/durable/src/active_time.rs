//! The active time of a run: the time in which a worker executed the run. Waits for messages and
//! timers, pauses, and the time between two lives don't count.

use super::{Call, Class, Effect, Entry, Fingerprint, Fut, Journal, Path, Record};
use futures::FutureExt;
use std::rc::Rc;

/// The effect that reads the active time in milliseconds.
pub(super) struct ActiveTime {
    pub(super) journal: Rc<Journal>,
}

impl Effect for ActiveTime {
    type Outcome = u64;

    const KIND: &'static str = "active_time";
    const CLASS: Class = Class::Safe;

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::default()
    }

    fn perform(self, _call: Call) -> Fut<Self::Outcome> {
        async move { self.journal.read(active_ms) }.boxed_local()
    }
}

/// The maximum time that counts between two records of one life, in milliseconds. A step may be
/// silent for up to five minutes, because a server may take that long to send its first token. A
/// longer gap means that the clock jumped or the computer slept.
const MOST_SILENCE_MS: u64 = 300_000;

/// Returns the time between two moments of one life, in milliseconds. If the clock jumped back, the
/// result is 0. A forward jump counts as five minutes at most.
pub fn silence_ms(since_ms: u64, now_ms: u64) -> u64 {
    now_ms.saturating_sub(since_ms).min(MOST_SILENCE_MS)
}

/// Returns the active time of a run in milliseconds. It is the sum of the times from the first
/// record of each life to its last. Waits for messages and timers, and pauses, don't count.
///
/// If the clock jumped back between two records, the time between them counts as 0. A forward jump
/// counts as five minutes at most, so that one jump doesn't use up a run's time limit.
pub fn active_ms(records: &[Record]) -> u64 {
    let mut total = 0;
    let mut last: Option<u64> = None;
    let (mut waits, mut halted) = (false, false);
    let mut copied = records.first().and_then(copied);
    for record in records.iter().filter(|record| is_work(record)) {
        let own = copied.take_if(|last| record.seq > *last).is_some();
        let begins_life = own || matches!(record.entry, Entry::Resumed | Entry::Continued);
        if let Some(last) = last.filter(|_| !begins_life && !waits && !halted) {
            total += silence_ms(last, record.at_ms);
        }
        last = Some(record.at_ms);
        waits = match record.entry {
            Entry::Waiting { .. } => true,
            Entry::MessagesRead { .. } | Entry::Restarted { .. } => false,
            _ => waits,
        };
        halted = match record.entry {
            Entry::Stopped { .. } => true,
            Entry::Continued => false,
            _ => halted,
        };
    }
    total
}

/// Returns the number of the last record that a fork copied. Returns `None` if the run is not a
/// fork. The fork itself made the later records, which begin a new life.
fn copied(first: &Record) -> Option<u64> {
    match &first.entry {
        Entry::Begun { forked, .. } => forked.as_ref().map(|fork| fork.seq),
        _ => None,
    }
}

/// Returns true if the run itself made the record. Other records, such as the arrival of a message,
/// can be made at any time, even while the run does nothing.
fn is_work(record: &Record) -> bool {
    let comes_from_outside = matches!(
        record.entry,
        Entry::Arrived { .. }
            | Entry::Withdrawn { .. }
            | Entry::Panicked { .. }
            | Entry::Shown { .. }
            | Entry::Left
    );
    // A stop with the root path was recorded while no step was running. The user may have stopped
    // the run long after its last step.
    let is_halt_at_rest =
        matches!(record.entry, Entry::Stopped { .. }) && record.path == Path::root();
    !comes_from_outside && !is_halt_at_rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stop;

    fn record(at_ms: u64, entry: Entry) -> Record {
        Record {
            v: 1,
            seq: 0,
            path: Path::root(),
            at_ms,
            entry,
        }
    }

    fn note() -> Entry {
        Entry::Note {
            topic: String::new(),
            body: serde_json::Value::Null,
        }
    }

    #[test]
    fn sleep_between_lives_does_not_count() {
        let records = [
            record(100, note()),
            record(150, note()),
            record(9_000, Entry::Resumed),
            record(9_030, note()),
        ];
        assert_eq!(active_ms(&records), 80);
    }

    #[test]
    fn waiting_for_the_person_does_not_count() {
        let waits = Entry::Waiting {
            kind: String::new(),
            body: serde_json::Value::Null,
            within_ms: None,
        };
        let heard = Entry::MessagesRead {
            messages: Vec::new(),
        };
        let records = [
            record(100, note()),
            record(110, waits),
            record(5_000, note()),
            record(9_000, heard),
            record(9_005, note()),
        ];
        assert_eq!(active_ms(&records), 15);
    }

    #[test]
    fn paused_time_does_not_count() {
        let in_step = Record {
            path: Path::root().child("reason"),
            ..record(130, Entry::halt(Stop::Pause))
        };
        let ended = Entry::Ended {
            body: serde_json::Value::Null,
        };
        let records = [
            record(100, note()),
            in_step,
            record(9_000, Entry::halt(Stop::User)),
            record(9_100, ended),
            record(20_000, Entry::Continued),
            record(20_007, note()),
            // This record ends the run. The run is not active between this record and `Continued`.
            record(90_000, Entry::halt(Stop::Restart)),
            record(99_000, Entry::Continued),
            record(99_002, note()),
        ];
        assert_eq!(active_ms(&records), 39);
    }

    #[test]
    fn what_comes_from_outside_is_no_work() {
        let records = [
            record(100, note()),
            record(140, note()),
            record(5_000, Entry::Left),
            record(6_000, Entry::Continued),
            record(6_010, note()),
        ];
        assert_eq!(active_ms(&records), 50);
    }

    #[test]
    fn a_clock_that_jumps_a_day_forward_counts_as_a_long_silence_at_most() {
        const DAY_MS: u64 = 86_400_000;
        let records = [
            record(100, note()),
            record(140, note()),
            record(DAY_MS, note()),
            record(DAY_MS + 7, note()),
        ];
        assert_eq!(active_ms(&records), 40 + MOST_SILENCE_MS + 7);
    }

    #[test]
    fn a_clock_that_jumps_back_stands_still() {
        let records = [
            record(500, note()),
            record(100, note()),
            record(140, note()),
        ];
        assert_eq!(active_ms(&records), 40);
    }
}
