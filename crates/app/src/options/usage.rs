//! The usage of models, beside the estimates.

use gloss_agent::UsageSum;
use serde::{Deserialize, Serialize};

/// The usage of one model in a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelUsage {
    /// The model's first use in the run, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// The model's name.
    pub model: String,
    /// The tokens and their cost.
    pub spent: UsageSum,
    /// The estimates of its calls.
    pub estimated: EstimateError,
}

impl ModelUsage {
    /// No usage yet, from `at_ms` on.
    pub(crate) fn nothing(model: String, at_ms: u64) -> Self {
        Self {
            at_ms,
            model,
            spent: UsageSum::default(),
            estimated: EstimateError::default(),
        }
    }
}

/// Estimates beside the actual usage (DETAILS §9).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EstimateError {
    /// The number of estimated calls that ended.
    pub calls: u32,
    /// The estimated tokens that these calls read and write.
    pub expected: u64,
    /// The tokens that these calls used.
    pub used: u64,
}

impl EstimateError {
    pub(crate) fn take(&mut self, expected: u32, used: u32) {
        self.calls += 1;
        self.expected += u64::from(expected);
        self.used += u64::from(used);
    }

    /// The sum of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            calls: self.calls + other.calls,
            expected: self.expected + other.expected,
            used: self.used + other.used,
        }
    }

    /// The error of the estimates, in percent of the usage: above 0 if they were too low. `None`
    /// without any usage.
    pub fn error_percent(self) -> Option<i64> {
        let (expected, used) = (
            i64::try_from(self.expected).ok()?,
            i64::try_from(self.used).ok()?,
        );
        (used > 0).then(|| (used - expected) * 100 / used)
    }
}
