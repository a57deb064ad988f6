//! Where a run ends although its goal isn't met (DETAILS §2): each bound has
//! its own named reason.

use crate::config::Settings;
use gloss_model::Complexity;
use gloss_model::facts::{MICROS_A_CENT, Micros, money};
use gloss_model::phrase::{Phrase, phrase};
use serde::{Deserialize, Serialize};

/// Steps until the complexity is known (SPEC §2).
const STEPS_UNTIL_KNOWN: u8 = 5;

/// What a person may set (SPEC §2).
const STEPS: std::ops::RangeInclusive<u8> = 1..=10;

pub(crate) const MICROS_A_DOLLAR: Micros = 100 * MICROS_A_CENT;

/// What ended a run before its goal was met: the named stop reasons (DETAILS §2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// The most steps.
    Steps,
    /// The most tokens.
    Tokens,
    /// The most active time.
    Time,
    /// The most tool calls.
    ToolCalls,
    /// What can stand before a model at once.
    Context,
    /// The most money of a run.
    Cost,
    /// The most money of a month.
    Month,
    /// The user.
    Stopped,
}

impl Bound {
    /// What stands under an answer that this bound cut short.
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
    /// The most steps: a number the person set wins; else it goes by complexity.
    pub(crate) fn steps(&self, complexity: Option<Complexity>) -> u8 {
        match self.max_steps {
            Some(set) => set.clamp(*STEPS.start(), *STEPS.end()),
            None => complexity.map_or(STEPS_UNTIL_KNOWN, steps_of),
        }
    }
}

/// The most steps of an automatic run (DETAILS §2).
fn steps_of(complexity: Complexity) -> u8 {
    match complexity {
        Complexity::Simple => 2,
        Complexity::Moderate => 5,
        Complexity::Complex => 8,
    }
}

impl Settings {
    /// The month's limit, in words.
    pub(crate) fn month_limit(&self) -> String {
        let dollars = self.max_month_dollars.unwrap_or_default();
        money(Micros::from(dollars) * MICROS_A_DOLLAR)
    }
}
