//! The reasons that end a run before its goal is met (DETAILS §2): its limits, and a stop by the
//! user.

use crate::config::Settings;
use gloss_model::Complexity;
use gloss_model::facts::{MICROS_A_CENT, Micros, money};
use gloss_model::phrase::{Phrase, phrase};
use serde::{Deserialize, Serialize};

/// The maximum number of steps while the task's complexity is unknown (SPEC §2).
const STEPS_UNTIL_KNOWN: u8 = 5;

/// The range in which the user can set the maximum number of steps (SPEC §2).
const STEPS: std::ops::RangeInclusive<u8> = 1..=10;

pub(crate) const MICROS_A_DOLLAR: Micros = 100 * MICROS_A_CENT;

/// The reason that a run ended before its goal was met (DETAILS §2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// The maximum number of steps was reached.
    Steps,
    /// The token limit was reached.
    Tokens,
    /// The limit on active time was reached. Waiting for the user is not active time.
    Time,
    /// The maximum number of tool calls was reached.
    ToolCalls,
    /// The transcript doesn't fit into the context window.
    Context,
    /// The cost limit of the run was reached.
    Cost,
    /// The cost limit of the month was reached.
    Month,
    /// The user stopped the run.
    Stopped,
}

impl Bound {
    /// Returns the remark that is shown below an answer that this limit cut short.
    pub fn remark(self, settings: &Settings) -> Phrase {
        match self {
            Self::Steps => phrase("bound_steps"),
            Self::Tokens => phrase("bound_tokens"),
            Self::Time => phrase("bound_time"),
            Self::ToolCalls => phrase("bound_tool_calls"),
            Self::Context => phrase("bound_context"),
            Self::Cost => phrase("bound_cost").with(&money(
                Micros::from(settings.max_cost_cents) * MICROS_A_CENT,
            )),
            Self::Month => phrase("bound_month").with(&settings.month_limit()),
            Self::Stopped => phrase("bound_stopped"),
        }
    }
}

impl Settings {
    /// Returns the maximum number of steps: the user's setting, or else a number that depends on
    /// the task's complexity.
    pub(crate) fn steps(&self, complexity: Option<Complexity>) -> u8 {
        match self.max_steps {
            Some(set) => set.clamp(*STEPS.start(), *STEPS.end()),
            None => complexity.map_or(STEPS_UNTIL_KNOWN, steps_of),
        }
    }
}

/// Returns the maximum number of steps if the user has not set one (DETAILS §2).
fn steps_of(complexity: Complexity) -> u8 {
    match complexity {
        Complexity::Simple => 2,
        Complexity::Moderate => 5,
        Complexity::Complex => 8,
    }
}

impl Settings {
    /// Returns the month's limit as text.
    pub(crate) fn month_limit(&self) -> String {
        let dollars = self.max_month_dollars.unwrap_or_default();
        money(Micros::from(dollars) * MICROS_A_DOLLAR)
    }
}
