//! Waiting before a retry: a short one is an effect, a long one holds no worker.

use super::desk::Step;
use crate::durable::{Call, Class, Effect, Fingerprint, Halt, Key, content_hash};
use crate::host::{Clock, Fut};
use std::rc::Rc;

/// From here on a wait parks the run: a packed extension's alarm rings no sooner, and
/// Chrome kills a worker that is idle for as long.
const PARKS_MS: u64 = 30_000;

/// No retry is waited for longer (DETAILS §4).
const MOST_BACKOFF_MS: u64 = 30_000;

/// A backoff, longer by up to a quarter, so that calls which failed together do not fail
/// together again. What it is longer by is drawn from the act itself: a replay waits as long.
pub(super) fn jittered(ms: u64, act: &Key) -> u64 {
    let drawn = content_hash(&act.to_string());
    let drawn = drawn
        .get(..8)
        .and_then(|it| u64::from_str_radix(it, 16).ok());
    let longer = (ms / 4).saturating_mul(drawn.unwrap_or_default()) >> 32;
    (ms + longer).min(MOST_BACKOFF_MS)
}

/// Waits for some active time; a new life waits anew.
pub(super) struct Wait {
    pub(super) ms: u64,
    pub(super) clock: Rc<dyn Clock>,
}

impl Effect for Wait {
    type Outcome = ();

    const KIND: &'static str = "wait";

    fn class(&self) -> Class {
        Class::Safe
    }

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_value(&self.ms)
    }

    fn perform(self, _call: Call) -> Fut<Self::Outcome> {
        self.clock.sleep(self.ms)
    }
}

impl Step {
    /// Waits for `ms` milliseconds, with the worker or without.
    pub(super) async fn wait(
        &self,
        segment: &str,
        ms: u64,
        clock: &Rc<dyn Clock>,
    ) -> Result<(), Halt> {
        if ms >= PARKS_MS {
            return self.ctx.timer(segment, ms).await;
        }
        let clock = clock.clone();
        self.ctx.step(segment, Wait { ms, clock }).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::durable::Path;
    use crate::host::RunId;

    #[test]
    fn a_backoff_is_spread_over_a_quarter_the_same_for_the_same_act_and_never_above_its_cap() {
        let key = |run: &str, place: u32| Key {
            run: RunId(run.to_owned()),
            path: Path::root().child("act").child(place),
        };
        let drawn: Vec<u64> = (0..100).map(|n| jittered(1_000, &key("run", n))).collect();
        assert!(
            drawn.iter().all(|ms| (1_000..=1_250).contains(ms)),
            "{drawn:?}"
        );
        let (low, high) = (drawn.iter().min(), drawn.iter().max());
        assert!(
            low < Some(&1_050) && high > Some(&1_200),
            "{low:?} {high:?}"
        );
        assert_eq!(jittered(1_000, &key("run", 7)), drawn[7]);
        assert_ne!(jittered(1_000, &key("other", 7)), drawn[7]);
        assert_eq!(jittered(40_000, &key("run", 7)), MOST_BACKOFF_MS);
    }
}
