//! How much a model is given, by its window.
//!
//! Driving example: a model with a window of 8 192 tokens is given 3 276 of a page where one
//! with room enough is given 12 000. Deliberately absent: what is left out, which whoever
//! gives it chooses.

/// How much of what was said and read a model with this window is given (SPEC §9, DETAILS
/// §7): the budgets of a moderate task, and in proportion less where it has less room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    window: u32,
}

/// What the budgets of a moderate task come to, in tokens.
const MODERATE: u32 = 30_000;
/// What those of a simple task do.
const SIMPLE: u32 = 20_000;
/// A window under this has the budgets of a simple task, and fewer tools.
const SMALL: u32 = 4_000;

impl Room {
    /// In a window of so many tokens; `None` if that is not known.
    pub fn of(window: Option<u32>) -> Self {
        Self {
            window: window.unwrap_or(MODERATE).min(MODERATE),
        }
    }

    /// What is left of a budget that is set for a moderate task.
    pub fn share(self, budget: u32) -> u32 {
        let share = u64::from(budget) * u64::from(self.window) / u64::from(MODERATE);
        u32::try_from(share).unwrap_or(budget)
    }

    /// The most of what was said before, in tokens.
    pub fn history(self) -> u32 {
        if self.is_small() {
            self.of_simple(3_000)
        } else {
            self.share(5_000)
        }
    }

    /// The most of a page, in tokens, where `budget` is meant for a moderate task.
    pub fn page(self, budget: u32) -> u32 {
        if self.is_small() {
            self.of_simple(budget.min(12_000))
        } else {
            self.share(budget)
        }
    }

    fn of_simple(self, budget: u32) -> u32 {
        let share = u64::from(budget) * u64::from(self.window) / u64::from(SIMPLE);
        u32::try_from(share).unwrap_or(budget)
    }

    /// Whether fewer tools are offered.
    pub fn is_small(self) -> bool {
        self.window < SMALL
    }

    /// Whether less fits than elsewhere.
    pub fn is_less(self) -> bool {
        self.window < MODERATE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_shrink_in_proportion_to_a_small_window() {
        for (window, history, page, is_small) in [
            (None, 5_000, 12_000, false),
            (Some(128_000), 5_000, 12_000, false),
            (Some(30_000), 5_000, 12_000, false),
            (Some(15_000), 2_500, 6_000, false),
            (Some(8_192), 1_365, 3_276, false),
            (Some(4_000), 666, 1_600, false),
            (Some(3_999), 599, 2_399, true),
            (Some(2_048), 307, 1_228, true),
            (Some(0), 0, 0, true),
        ] {
            let room = Room::of(window);
            let given = (room.history(), room.page(12_000), room.is_small());
            assert_eq!(given, (history, page, is_small), "{window:?}");
            // Both together, and what is said now, leave a third for the answer.
            let most = window.unwrap_or(30_000);
            assert!(given.0 + given.1 <= most * 4 / 5, "{window:?}");
        }
    }
}
