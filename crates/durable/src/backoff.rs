//! The time to wait before a failed attempt is retried.

use super::content_hash;
use std::fmt::Display;

/// The wait before the second attempt, in milliseconds. The wait doubles before each further
/// attempt.
const FIRST_MS: u64 = 1_000;

/// The longest wait, in milliseconds.
const MOST_MS: u64 = 30_000;

/// Returns the wait in milliseconds after `failures` failed attempts (from 1). Up to a quarter is
/// added, so that calls that failed together are not retried together. The added time is computed
/// from a hash of `what`, so a replay computes the same wait.
pub fn backoff_ms(failures: u32, what: &impl Display) -> u64 {
    let ms = FIRST_MS.saturating_mul(1 << failures.saturating_sub(1).min(16));
    let drawn = content_hash(&what.to_string());
    let drawn = drawn
        .get(..8)
        .and_then(|it| u64::from_str_radix(it, 16).ok());
    let longer = (ms / 4).saturating_mul(drawn.unwrap_or_default()) >> 32;
    (ms + longer).min(MOST_MS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backoff_doubles_is_spread_over_a_quarter_and_never_above_its_cap() {
        for (failures, least) in [(1, 1_000), (2, 2_000), (3, 4_000)] {
            let drawn: Vec<u64> = (0..100).map(|n| backoff_ms(failures, &n)).collect();
            let most = least + least / 4;
            assert!(
                drawn.iter().all(|ms| (least..=most).contains(ms)),
                "{drawn:?}"
            );
            let (low, high) = (drawn.iter().min(), drawn.iter().max());
            let eighth = least / 8;
            assert!(
                low < Some(&(least + eighth)) && high > Some(&(most - eighth)),
                "{low:?} {high:?}"
            );
        }
        assert_eq!(backoff_ms(1, &"a run's act"), backoff_ms(1, &"a run's act"));
        assert_ne!(backoff_ms(1, &"a run's act"), backoff_ms(1, &"another's"));
        assert_eq!(backoff_ms(6, &"a run's act"), MOST_MS);
        assert_eq!(backoff_ms(u32::MAX, &"a run's act"), MOST_MS);
    }
}
