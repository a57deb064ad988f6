//! Waits with a time limit, and their expiry.
//!
//! Driving example: a server asks the client to retry after half a minute. The run waits with
//! [`super::Ctx::timer`], and the worker may end until an alarm fires. Every wake-up of the worker
//! calls [`Journal::elapse`]. For each wait whose time is up, [`Journal::elapse`] puts one message
//! into the inbox. An alarm that fires early changes nothing. If an alarm is late or missing, the
//! next wake-up ends the wait.
//!
//! The callers of [`Journal::elapse`] set the alarm, and decide when to call [`Journal::elapse`].

use super::life::open_waits;
use super::message::{Elapsed, Message};
use super::{Entry, Journal, Record};

/// The kind of message that [`super::Ctx::timer`] waits for. Only [`Journal::elapse`] sends such a
/// message.
pub const TIMER: &str = Elapsed::NAME;

/// Returns the id of the message that ends a wait; `wait` is the number of the wait's record.
pub(super) fn elapsed_id(wait: u64) -> String {
    format!("{}.{wait}", Elapsed::NAME)
}

/// The state of a wait at the current time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Due {
    /// The time is up.
    Now,
    /// The time at which the wait ends, in milliseconds since the Unix epoch.
    At(u64),
    /// The clock shows a time before the wait began. It is unknown how much time has passed, so the
    /// wait starts again.
    Restart,
}

fn due(since_ms: u64, within_ms: u64, now_ms: u64) -> Due {
    let at_ms = since_ms.saturating_add(within_ms);
    match at_ms.saturating_sub(now_ms) {
        0 => Due::Now,
        left if left > within_ms => Due::Restart,
        _ => Due::At(at_ms),
    }
}

/// Returns the time limit of a wait in milliseconds, if it has one.
fn within(wait: &Record) -> Option<u64> {
    match wait.entry {
        Entry::Waiting { within_ms, .. } => within_ms,
        _ => None,
    }
}

impl Journal {
    /// Ends the waits whose time is up. Returns the time at which the next wait ends, in
    /// milliseconds since the Unix epoch; `None` if no wait has a time limit. The caller must call
    /// this function again at the returned time. More frequent calls do no harm.
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
                Due::Restart => {
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
            (since - 1, Due::Restart),
            (since - DAY_MS, Due::Restart),
            (0, Due::Restart),
        ] {
            assert_eq!(due(since, 35_000, now_ms), expected, "{now_ms}");
        }
        assert_eq!(due(since, 0, since), Due::Now);
        assert_eq!(due(since, u64::MAX, since), Due::At(u64::MAX));
    }
}
