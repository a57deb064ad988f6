//! The token usage of models, compared with the estimates that were made before the calls.

use gloss_agent::UsageSum;
use serde::{Deserialize, Serialize};

/// The usage of one model in a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelUsage {
    /// The time of the model's first use in the run, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// The model's name.
    pub model: String,
    /// The tokens used and their cost.
    pub spent: UsageSum,
    /// The estimates for the model's calls, and the actual usage of these calls.
    pub estimated: EstimateError,
}

impl ModelUsage {
    pub(crate) fn nothing(model: String, at_ms: u64) -> Self {
        Self {
            at_ms,
            model,
            spent: UsageSum::default(),
            estimated: EstimateError::default(),
        }
    }
}

/// The estimated tokens of model calls, and the tokens that the same calls used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EstimateError {
    /// The number of calls that had an estimate and have ended.
    pub calls: u32,
    /// The number of tokens, input and output, that was estimated for these calls.
    pub expected: u64,
    /// The number of tokens, input and output, that these calls used.
    pub used: u64,
}

impl EstimateError {
    pub(crate) fn take(&mut self, expected: u32, used: u32) {
        self.calls += 1;
        self.expected += u64::from(expected);
        self.used += u64::from(used);
    }

    /// Returns the sums of two comparisons.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            calls: self.calls + other.calls,
            expected: self.expected + other.expected,
            used: self.used + other.used,
        }
    }

    /// Returns the difference between usage and estimate, in percent of the usage. For 80 estimated
    /// and 100 used tokens it is 20. `None` if nothing was used.
    pub fn error_percent(self) -> Option<i64> {
        let (expected, used) = (
            i64::try_from(self.expected).ok()?,
            i64::try_from(self.used).ok()?,
        );
        (used > 0).then(|| (used - expected) * 100 / used)
    }
}
