//! Counts the searches at each provider, and enforces the limits.
//!
//! Example: the eleventh search within a minute is refused. The error contains the number
//! of seconds until the next search is allowed. This also works if the worker stopped after the
//! tenth search, because each search is counted, and the count stored, before the search is sent. A
//! minute is any period of sixty seconds. A day is the 24 hours that begin with its first search.

use super::{ProviderKind, Server};
use futures::lock::Mutex;
use gloss_durable::sorted::SortedMap;
use gloss_durable::{Clock, json};
use gloss_host::LocalStorage;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// The key of the counts in local storage.
const SEARCHES: &str = "searches";
const MINUTE_MS: u64 = 60_000;
const DAY_MS: u64 = 86_400_000;

/// The counts for one provider. This format is stored; counts that can't be read are taken as zero.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Count {
    /// The start of the current day, in milliseconds since the Unix epoch.
    since_ms: u64,
    /// The number of searches since `since_ms`.
    day: u32,
    /// The times of the searches within the last minute, in milliseconds since the Unix epoch.
    minute: Vec<u64>,
}

/// The counts of all providers, in local storage.
pub(super) struct SearchQuota {
    local_storage: Rc<dyn LocalStorage>,
    clock: Rc<dyn Clock>,
    /// The lock that must be held to change the counts.
    one: Mutex<()>,
}

impl SearchQuota {
    pub(super) fn new(local_storage: Rc<dyn LocalStorage>, clock: Rc<dyn Clock>) -> Self {
        Self {
            local_storage,
            clock,
            one: Mutex::default(),
        }
    }

    /// Counts one search. If storage fails, the search is still allowed.
    ///
    /// # Errors
    /// The number of seconds until the next search is allowed. The refused search is not counted.
    pub(super) async fn take(&self, engine: ProviderKind, limits: &Server) -> Result<(), u64> {
        let _one = self.one.lock().await;
        let text = self.local_storage.get(SEARCHES).await.ok().flatten();
        let counts = text.and_then(|text| json::parse(&text).ok());
        let mut counts: SortedMap<ProviderKind, Count> = counts.unwrap_or_default();
        let count = counts.or_default(engine);
        count.take(self.clock.now_ms(), limits)?;
        if let Ok(text) = json::text(&counts) {
            let _ = self.local_storage.put(SEARCHES, text).await;
        }
        Ok(())
    }
}

impl Count {
    fn take(&mut self, now_ms: u64, limits: &Server) -> Result<(), u64> {
        // Times in the future are dropped, so that a clock that was set back does not block
        // searches.
        self.minute
            .retain(|at_ms| *at_ms <= now_ms && now_ms - at_ms < MINUTE_MS);
        let is_of_today = self.since_ms <= now_ms && now_ms - self.since_ms < DAY_MS;
        if !is_of_today || self.day == 0 {
            (self.since_ms, self.day) = (now_ms, 0);
        }
        if self.day >= limits.per_day {
            return Err(seconds(self.since_ms + DAY_MS - now_ms));
        }
        let most = usize::try_from(limits.per_minute).unwrap_or(usize::MAX);
        if let Some(over) = self.minute.len().checked_sub(most.max(1))
            && let Some(oldest) = self.minute.get(over)
        {
            return Err(seconds(oldest + MINUTE_MS - now_ms));
        }
        self.day += 1;
        self.minute.push(now_ms);
        Ok(())
    }
}

/// Converts milliseconds to seconds, rounded up so that the wait is long enough.
fn seconds(ms: u64) -> u64 {
    ms.div_ceil(1_000).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gloss_host_sim::Sim;

    const LIMITS: fn() -> Server = || Server {
        per_minute: 3,
        per_day: 5,
        ..Server::default()
    };

    fn take(sim: &Sim, engine: ProviderKind) -> Result<(), u64> {
        let host = sim.host();
        let counted = SearchQuota::new(host.local_storage, host.clock);
        sim.life(
            u64::MAX,
            async move { counted.take(engine, &LIMITS()).await },
        )
        .unwrap()
    }

    #[test]
    fn over_a_limit_it_is_said_when_the_next_one_is_free_in_each_life() {
        let sim = Sim::new(1);
        let start = sim.now_ms();
        for _ in 0..3 {
            assert_eq!(take(&sim, ProviderKind::Brave), Ok(()));
        }
        let wait = take(&sim, ProviderKind::Brave).unwrap_err();
        assert!((55..=60).contains(&wait), "{wait}");
        assert_eq!(take(&sim, ProviderKind::Tavily), Ok(()), "each by itself");
        sim.jump_clock(i64::try_from(wait).unwrap() * 1_000);
        assert_eq!(take(&sim, ProviderKind::Brave), Ok(()));
        sim.jump_clock(61_000);
        assert_eq!(take(&sim, ProviderKind::Brave), Ok(()));
        let wait = take(&sim, ProviderKind::Brave).unwrap_err();
        let left = start + DAY_MS - sim.now_ms();
        assert!(wait.abs_diff(left / 1_000) <= 2, "{wait} {left}");
        sim.jump_clock(i64::try_from(DAY_MS).unwrap());
        assert_eq!(take(&sim, ProviderKind::Brave), Ok(()));
    }

    #[test]
    fn a_clock_that_went_back_locks_nobody_out() {
        let sim = Sim::new(1);
        sim.jump_clock(1_000_000_000_000);
        for _ in 0..3 {
            take(&sim, ProviderKind::Brave).unwrap();
        }
        sim.jump_clock(-900_000_000_000);
        assert_eq!(take(&sim, ProviderKind::Brave), Ok(()));
    }

    #[test]
    fn whatever_stands_on_the_shelf_is_a_count_or_nothing() {
        for text in ["", "{", "[]", r#"{"brave":7}"#, r#"{"nobody":{"day":1}}"#] {
            let sim = Sim::new(1);
            let local_storage = sim.host().local_storage;
            let text = text.to_owned();
            sim.life(
                u64::MAX,
                async move { local_storage.put(SEARCHES, text).await },
            );
            assert_eq!(take(&sim, ProviderKind::Brave), Ok(()));
        }
    }

    #[test]
    fn a_search_that_may_have_been_sent_is_counted_whenever_the_worker_dies() {
        for kill_at in 0..40 {
            let sim = Sim::new(kill_at);
            let host = sim.host();
            let there = sim.clone();
            let counted = SearchQuota::new(host.local_storage, host.clock);
            let done = sim.life(kill_at, async move {
                for _ in 0..2 {
                    counted.take(ProviderKind::Brave, &LIMITS()).await.unwrap();
                    there.send(|| ()).await;
                }
            });
            let survived = done.is_some();
            let free = (0..4)
                .filter(|_| take(&sim, ProviderKind::Brave).is_ok())
                .count();
            assert!(free <= 3 && (!survived || free == 1), "{kill_at}: {free}");
        }
    }
}
