//! The token budgets of a model, derived from its context window.
//!
//! Example: a model with a context window of 8 192 tokens gets at most 3 276 tokens of a
//! page. A model with a large window gets at most 12 000. The caller chooses the text to leave out.

use super::Complexity;

/// The context window of a model, from which the token budgets of each call are computed (SPEC §9,
/// DETAILS §7). If the window is smaller than the budget of a task, all limits of the budget are
/// reduced in proportion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContextWindow {
    window: u32,
}

/// The token limits of one call (SPEC §9).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// The limit for prompt and response together, in tokens.
    pub total: u32,
    /// The limit for messages of earlier turns, in tokens.
    pub history: u32,
    /// The limit for the steps of this run, in tokens.
    pub scratchpad: u32,
    /// The limit for the response, in tokens.
    pub response: u32,
}

impl Budget {
    /// Returns the limit for the prompt, in tokens.
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

/// A smaller window, in tokens, is "small": the model gets the budget of a simple task, and fewer
/// tools.
const SMALL: u32 = 4_000;

impl ContextWindow {
    /// Makes the context window from its size in tokens. An unknown window (`None`) is assumed to
    /// be 30 000 tokens, the budget of a moderate task, even if the task is complex. A larger
    /// assumption is a risk, because some servers silently cut prompts that are too long. The user
    /// can set the real window in the profile.
    pub fn of(window: Option<u32>) -> Self {
        Self {
            window: window.unwrap_or(MODERATE.total).min(COMPLEX.total),
        }
    }

    /// Returns the budget of a call for a task of this complexity. A small window gets the budget
    /// of a simple task.
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

    /// Returns the context window to assume after a model refused a prompt of `sent` tokens as too
    /// long. The next prompt is limited to about half of `sent`.
    #[must_use]
    pub fn after_refusal(self, sent: u32) -> Self {
        let half = (sent / 2).saturating_mul(5) / 4;
        Self::of(Some(half.min(self.window / 2)))
    }

    /// Reduces a token budget for a moderate task in proportion to this window.
    pub fn share(self, budget: u32) -> u32 {
        self.share_of(budget, MODERATE.total)
    }

    /// Returns the token limit for a page's text. `budget` is the limit for a moderate task.
    pub fn page(self, budget: u32) -> u32 {
        if self.is_small() {
            self.share_of(budget.min(SIMPLE.scratchpad), SIMPLE.total)
        } else {
            self.share(budget)
        }
    }

    /// Returns the usable context window in tokens, at most the budget of a complex task.
    pub fn window(self) -> u32 {
        self.window
    }

    /// Reduces `part` in proportion if the window is smaller than `whole`. All three are in tokens.
    fn share_of(self, part: u32, whole: u32) -> u32 {
        let window = self.window.min(whole);
        let share = u64::from(part) * u64::from(window) / u64::from(whole);
        u32::try_from(share).unwrap_or(part)
    }

    /// Returns true if the window is so small that the model gets fewer tools.
    pub fn is_small(self) -> bool {
        self.window < SMALL
    }

    /// Returns true if the window is smaller than the full budget of a moderate task.
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
                let budget = ContextWindow::of(Some(window)).budget(complexity);
                [
                    budget.total,
                    budget.history,
                    budget.scratchpad,
                    budget.response,
                ]
            };
            assert_eq!(figures_of(1_000_000), figures);
            assert_eq!(figures_of(figures[0] / 2), figures.map(|it| it / 2));
            // An unknown window gets at most the budget of a moderate task.
            let unknown = ContextWindow::of(None).budget(complexity);
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
            let room = ContextWindow::of(window);
            let moderate = room.budget(Complexity::Moderate);
            let given = (moderate.history, room.page(12_000), room.is_small());
            assert_eq!(given, (history, page, is_small), "{window:?}");
            // The history and the page use at most four fifths of the window. The current message
            // and the answer need the rest.
            let most = window.unwrap_or(30_000);
            assert!(given.0 + given.1 <= most * 4 / 5, "{window:?}");
        }
    }
}
