//! How far an estimate is off from what a model counts (SPEC §9: usage replaces it).
//!
//! Driving example: a prompt of German words was taken for 6 000 tokens, and the provider
//! counted 7 800. From the next call on what stands before the model fits a window that is
//! by as much smaller. It follows the last call both ways, down with a margin: the next prompt
//! may be in denser words. It follows from recorded usage alone, so a replay knows the same.

/// No tokeniser writes more for a text than so many times the estimate. A server that says
/// so counts something of its own: a prompt that it puts before ours.
const MOST_PERMILLE: u32 = 2_000;

/// Nor less than this: then the window would be filled on one prompt's word.
const LEAST_PERMILLE: u32 = 800;

/// A server that counts less leaves out what it had in its cache, as some local ones do.
const UNCACHED_PERMILLE: u32 = 600;

const EXACT_PERMILLE: u32 = 1_000;

/// What a count that is less than the last keeps on top, as a part of it.
const MARGIN: u32 = 10;

/// Prompts shorter than this say little: what a server adds to each is most of it.
const LEAST_TOKENS: u32 = 500;

/// How many tokens a model counts for a thousand that are estimated.
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
    /// Learns what a model counted for a prompt that was taken for `estimated` tokens.
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

    /// How many estimated tokens fit into so many that a model counts.
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
            // Nothing was reported, or only what was in no cache; or the prompt says little.
            (6_000, 0, 6_000),
            (6_000, 3_000, 6_000),
            (100, 900, 6_000),
            // More: at once.
            (6_000, 7_200, 5_000),
            // A little less stays within the margin, much less gives room again.
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
