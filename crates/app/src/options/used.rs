//! What models used, beside what was expected of them.

use gloss_agent::UsageSum;
use serde::{Deserialize, Serialize};

/// What a run used of one model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Used {
    /// When it first did.
    pub at_ms: u64,
    /// The model's name.
    pub model: String,
    /// Its tokens and their cost.
    pub spent: UsageSum,
    /// The estimates of its calls.
    pub estimated: Estimated,
}

impl Used {
    /// Nothing yet, since then.
    pub(crate) fn nothing(model: String, at_ms: u64) -> Self {
        Self {
            at_ms,
            model,
            spent: UsageSum::default(),
            estimated: Estimated::default(),
        }
    }
}

/// Estimates beside what was used (DETAILS §9).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Estimated {
    /// The calls that were estimated and came to an end.
    pub calls: u32,
    /// What they were expected to read and write, in tokens.
    pub expected: u64,
    /// What they did.
    pub used: u64,
}

impl Estimated {
    pub(crate) fn take(&mut self, expected: u32, used: u32) {
        self.calls += 1;
        self.expected += u64::from(expected);
        self.used += u64::from(used);
    }

    /// Both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            calls: self.calls + other.calls,
            expected: self.expected + other.expected,
            used: self.used + other.used,
        }
    }

    /// By how much the estimates were wrong, in percent of what was used: above 0 too
    /// low. `None` of no call.
    pub fn error_percent(self) -> Option<i64> {
        let (expected, used) = (
            i64::try_from(self.expected).ok()?,
            i64::try_from(self.used).ok()?,
        );
        (used > 0).then(|| (used - expected) * 100 / used)
    }
}
