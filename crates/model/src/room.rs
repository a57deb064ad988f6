//! How much a model is given, by its window.
//!
//! Driving example: a model with a window of 8 192 tokens is given 3 276 of a page where one
//! with room enough is given 12 000. Deliberately absent: what is left out, which whoever
//! gives it chooses.

use super::Complexity;

/// How much a model with this window is given (SPEC §9, DETAILS §7): the budget of a task,
/// and in proportion less where it has less room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    window: u32,
}

/// What one call may hold, in tokens (SPEC §9).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// All of it, the answer too.
    pub total: u32,
    /// What was said before.
    pub history: u32,
    /// What was done and found.
    pub scratchpad: u32,
    /// The answer.
    pub response: u32,
}

impl Budget {
    /// All that is said to a model.
    pub fn prompt(self) -> u32 {
        self.total.saturating_sub(self.response)
    }
}

const SIMPLE: Budget = Budget {
    total: 20_000,
    history: 3_000,
    scratchpad: 12_000,
    response: 4_000,
};
const MODERATE: Budget = Budget {
    total: 30_000,
    history: 5_000,
    scratchpad: 18_000,
    response: 6_000,
};
const COMPLEX: Budget = Budget {
    total: 40_000,
    history: 4_000,
    scratchpad: 28_000,
    response: 7_000,
};

/// A window under this has the budgets of a simple task, and fewer tools.
const SMALL: u32 = 4_000;

impl Room {
    /// In a window of so many tokens; `None` if that is not known. Then it is taken for the
    /// 30 000 of a moderate task, for a complex one too: some servers
    /// cut what is longer than their window without a word. Who knows better sets it in the
    /// model's profile.
    pub fn of(window: Option<u32>) -> Self {
        Self {
            window: window.unwrap_or(MODERATE.total).min(COMPLEX.total),
        }
    }

    /// What a call for a task may hold.
    pub fn budget(self, complexity: Complexity) -> Budget {
        let budget = match complexity {
            _ if self.is_small() => SIMPLE,
            Complexity::Simple => SIMPLE,
            Complexity::Moderate => MODERATE,
            Complexity::Complex => COMPLEX,
        };
        let share = |part| self.share_of(part, budget.total);
        Budget {
            total: share(budget.total),
            history: share(budget.history),
            scratchpad: share(budget.scratchpad),
            response: share(budget.response),
        }
    }

    /// The room of a model that refused a prompt of `sent` tokens as too long: that of half the
    /// prompt, and of the answer's part beside it.
    #[must_use]
    pub fn after_refusal(self, sent: u32) -> Self {
        let half = (sent / 2).saturating_mul(5) / 4;
        Self::of(Some(half.min(self.window / 2)))
    }

    /// What is left of a budget that is set for a moderate task.
    pub fn share(self, budget: u32) -> u32 {
        self.share_of(budget, MODERATE.total)
    }

    /// The most of a page, in tokens, where `budget` is meant for a moderate task.
    pub fn page(self, budget: u32) -> u32 {
        if self.is_small() {
            self.share_of(budget.min(SIMPLE.scratchpad), SIMPLE.total)
        } else {
            self.share(budget)
        }
    }

    /// All that fits into its window, as far as anybody here makes use of it.
    pub fn window(self) -> u32 {
        self.window
    }

    /// What is left of a part of a whole that may not fit.
    fn share_of(self, part: u32, whole: u32) -> u32 {
        let window = self.window.min(whole);
        let share = u64::from(part) * u64::from(window) / u64::from(whole);
        u32::try_from(share).unwrap_or(part)
    }

    /// Whether fewer tools are offered.
    pub fn is_small(self) -> bool {
        self.window < SMALL
    }

    /// Whether less fits than elsewhere.
    pub fn is_less(self) -> bool {
        self.window < MODERATE.total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_has_the_budget_of_the_specification_where_the_window_has_it() {
        for (complexity, figures) in [
            (Complexity::Simple, [20_000, 3_000, 12_000, 4_000]),
            (Complexity::Moderate, [30_000, 5_000, 18_000, 6_000]),
            (Complexity::Complex, [40_000, 4_000, 28_000, 7_000]),
        ] {
            let figures_of = |window| {
                let budget = Room::of(Some(window)).budget(complexity);
                [
                    budget.total,
                    budget.history,
                    budget.scratchpad,
                    budget.response,
                ]
            };
            assert_eq!(figures_of(1_000_000), figures);
            assert_eq!(figures_of(figures[0] / 2), figures.map(|it| it / 2));
            // What is not known is taken for the middle.
            let unknown = Room::of(None).budget(complexity);
            assert!(unknown.total <= 30_000, "{unknown:?}");
        }
    }

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
            let moderate = room.budget(Complexity::Moderate);
            let given = (moderate.history, room.page(12_000), room.is_small());
            assert_eq!(given, (history, page, is_small), "{window:?}");
            // Both together, and what is said now, leave a third for the answer.
            let most = window.unwrap_or(30_000);
            assert!(given.0 + given.1 <= most * 4 / 5, "{window:?}");
        }
    }
}
