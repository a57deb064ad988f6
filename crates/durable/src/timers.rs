//! Waits that end by themselves: when they are due, and how a run is told.
//!
//! Driving example: a server asks for half a minute of patience. The run parks on
//! [`super::Ctx::timer`]; nothing lives until an alarm rings. Whoever wakes then, and
//! however often, calls [`Journal::elapse`]: what is due is put into the inbox once.
//! An alarm that rings early changes nothing, one that is late or missing is made up
//! for by the next wake-up, whatever it was.
//!
//! Deliberately absent: the alarm, and any say in when somebody looks.

use super::life::open_waits;
use super::{Entry, Journal, Message, Record};
use serde::{Deserialize, Serialize};

/// A wait's time is up: `elapsed.<record of the wait>` in the inbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Elapsed;

/// The kind of a wait that only its time ends ([`super::Ctx::timer`]).
pub const TIMER: &str = Elapsed::NAME;

impl Message for Elapsed {
    const NAME: &'static str = "elapsed";
}

/// The id of the message that ends the wait of this record.
pub(super) fn elapsed_id(wait: u64) -> String {
    format!("{}.{wait}", Elapsed::NAME)
}

/// What the clock says of a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Due {
    /// Its time is up.
    Now,
    /// Not before this, in milliseconds since the Unix epoch.
    At(u64),
    /// The clock stands before the wait's beginning: how long it has lasted is not
    /// known, and it waits anew.
    Anew,
}

fn due(since_ms: u64, within_ms: u64, now_ms: u64) -> Due {
    let at_ms = since_ms.saturating_add(within_ms);
    match at_ms.saturating_sub(now_ms) {
        0 => Due::Now,
        left if left > within_ms => Due::Anew,
        _ => Due::At(at_ms),
    }
}

/// The wait's time, if it has one.
fn within(wait: &Record) -> Option<u64> {
    match wait.entry {
        Entry::Waits { within_ms, .. } => within_ms,
        _ => None,
    }
}

impl Journal {
    /// Ends the waits whose time is up, and gives when the next one is due, in
    /// milliseconds since the Unix epoch. To be called again then, or at any time.
    pub fn elapse(&self, now_ms: u64) -> Option<u64> {
        let mut next: Option<u64> = None;
        for wait in self.timed_waits() {
            let Some(within_ms) = within(&wait) else {
                continue;
            };
            let at_ms = match due(wait.at_ms, within_ms, now_ms) {
                Due::Now => {
                    self.deliver(&elapsed_id(wait.seq), &Elapsed);
                    continue;
                }
                Due::At(at_ms) => at_ms,
                Due::Anew => {
                    self.mark(&wait.path, wait.entry);
                    now_ms.saturating_add(within_ms)
                }
            };
            next = Some(next.map_or(at_ms, |next| next.min(at_ms)));
        }
        next
    }

    fn timed_waits(&self) -> Vec<Record> {
        self.read(|records| {
            let timed = |wait: &&Record| within(wait).is_some();
            open_waits(records)
                .into_iter()
                .filter(timed)
                .cloned()
                .collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_due_when_its_time_is_up_and_begins_anew_when_the_clock_jumped_back() {
        const DAY_MS: u64 = 86_400_000;
        let since = 10 * DAY_MS;
        for (now_ms, expected) in [
            (since, Due::At(since + 35_000)),
            (since + 34_999, Due::At(since + 35_000)),
            (since + 35_000, Due::Now),
            (since + DAY_MS, Due::Now),
            (since - 1, Due::Anew),
            (since - DAY_MS, Due::Anew),
            (0, Due::Anew),
        ] {
            assert_eq!(due(since, 35_000, now_ms), expected, "{now_ms}");
        }
        assert_eq!(due(since, 0, since), Due::Now);
        assert_eq!(due(since, u64::MAX, since), Due::At(u64::MAX));
    }
}
