//! The value of a fact. The fact with the lowest value is evicted first.

use super::Fact;
use super::tier::DAY_MS;

impl Fact {
    /// Returns the fact's value at `now_ms`: confidence × (1 + ln(1 + uses)) × 0.5^(days since last
    /// use / half-life). The result has the same bits on every machine and in wasm.
    pub fn value(&self, now_ms: u64) -> f64 {
        let use_ms = self.used_at_ms.unwrap_or(self.created_at_ms);
        let days = now_ms.saturating_sub(use_ms) as f64 / DAY_MS as f64;
        let used = 1.0 + libm::log1p(f64::from(self.uses));
        let left = self
            .tier
            .half_life_days()
            .map_or(1.0, |half_life| libm::pow(0.5, days / half_life));
        self.confidence * used * left
    }
}
