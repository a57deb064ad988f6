//! The ratio between the tokens that a model counts and the tokens that Gloss estimates. SPEC §9
//! requires that the counts that a model reports correct the estimate.
//!
//! Example: a German prompt was estimated at 6 000 tokens, and the provider counted 7 800.
//! From the next call on, the maximum length of a prompt in estimated tokens is divided by 1.3. If
//! a later count is higher, the ratio rises at once. If a later count is lower, the ratio falls to
//! the lower value plus a margin, because the next prompt may need more tokens for the same length.
//! The ratio depends on recorded counts alone, so a replay computes the same ratio.

/// The highest ratio, per mille: no tokeniser counts more than twice the estimate. A server that
/// reports more also counts other text, such as a prompt that the server adds.
const MOST_PERMILLE: u32 = 2_000;

/// The lowest ratio, per mille. A lower ratio could come from one unusual prompt. The next prompt
/// could then be too long for the window.
const LEAST_PERMILLE: u32 = 800;

/// The ratio below which a count is ignored, per mille. Some local servers don't count cached
/// tokens.
const UNCACHED_PERMILLE: u32 = 600;

const EXACT_PERMILLE: u32 = 1_000;

/// When the ratio falls, `1 / MARGIN` of the counted ratio is added.
const MARGIN: u32 = 10;

/// The shortest prompt from which the ratio is learned, in estimated tokens. In a shorter prompt,
/// most of the counted tokens are text that the server adds.
const LEAST_TOKENS: u32 = 500;

/// The number of tokens that a model counts per thousand estimated tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TokenCalibration {
    permille: u32,
}

impl Default for TokenCalibration {
    fn default() -> Self {
        Self {
            permille: EXACT_PERMILLE,
        }
    }
}

impl TokenCalibration {
    /// Updates the ratio after a prompt with this estimate and this count, in tokens.
    pub(crate) fn learn(&mut self, estimated: u32, counted: u32) {
        if estimated < LEAST_TOKENS {
            return;
        }
        let permille = u64::from(counted) * 1_000 / u64::from(estimated);
        let counted = u32::try_from(permille).unwrap_or(u32::MAX);
        if counted < UNCACHED_PERMILLE {
            return;
        }
        let with_margin = counted.saturating_add(counted / MARGIN);
        let down = self.permille.min(with_margin);
        self.permille = counted.max(down).clamp(LEAST_PERMILLE, MOST_PERMILLE);
    }

    /// Returns the number of estimated tokens that fit into `counted` tokens of the model.
    pub(crate) fn within(self, counted: u32) -> u32 {
        let estimated = u64::from(counted) * 1_000 / u64::from(self.permille);
        u32::try_from(estimated).unwrap_or(counted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_that_was_counted_holds_within_reason_and_down_with_a_margin() {
        let mut scale = TokenCalibration::default();
        assert_eq!(scale.within(6_000), 6_000);
        for (estimated, counted, fits) in [
            // No count, a count without cached tokens, or a short prompt.
            (6_000, 0, 6_000),
            (6_000, 3_000, 6_000),
            (100, 900, 6_000),
            // A higher count applies at once.
            (6_000, 7_200, 5_000),
            // A slightly lower count stays within the margin. A much lower count allows longer
            // prompts again.
            (6_000, 6_600, 5_000),
            (6_000, 6_000, 5_454),
            (6_000, 5_100, 6_417),
            (6_000, 3_900, 7_500),
            (6_000, 6_000, 6_000),
            (1_000, 90_000, 3_000),
        ] {
            scale.learn(estimated, counted);
            assert_eq!(scale.within(6_000), fits, "{estimated} {counted}");
        }
    }
}
