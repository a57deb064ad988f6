//! Waits with a time limit, and their expiry.
//!
//! Example: a server asks the client to retry after half a minute. The run waits with
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

/// The time limit of a wait in milliseconds, if it has one.
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
            let at_ms = wait.at_ms.saturating_add(within_ms);
            let at_ms = if at_ms <= now_ms {
                self.deliver(&elapsed_id(wait.seq), &Elapsed);
                continue;
            } else if at_ms - now_ms > within_ms {
                // The clock shows a time before the wait began. It is unknown how much time has
                // passed, so the wait starts again.
                self.mark(&wait.path, wait.entry);
                now_ms.saturating_add(within_ms)
            } else {
                at_ms
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
