//! The limits of a run and of a month, and the values that the user may set for them.

use super::{FieldName, Preferences, Problem};
use gloss_agent::{MOST_CENTS, MOST_TOKENS};
use gloss_model::phrase::phrase;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// A limit that the user can set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// The maximum number of steps of a run. If it is not set, it depends on the question's
    /// complexity.
    Steps,
    /// The maximum number of tokens of a run, input and output together.
    Tokens,
    /// The maximum time during which a run is active, in minutes.
    Minutes,
    /// The maximum number of tool calls of a run.
    ToolCalls,
    /// The maximum cost of a run, in US cents.
    Cents,
    /// The maximum cost of all runs of a month, in US dollars. If it is not set, the cost is
    /// unlimited.
    Month,
    /// The used share of a limit, in percent, at which the user is warned.
    Warning,
}

impl Limit {
    /// All limits, in the order of the options page.
    pub const ALL: [Self; 7] = [
        Self::Steps,
        Self::Tokens,
        Self::Cents,
        Self::Minutes,
        Self::ToolCalls,
        Self::Month,
        Self::Warning,
    ];

    /// Returns the allowed values, in the unit of the limit.
    pub fn range(self) -> RangeInclusive<u32> {
        match self {
            Self::Steps => 1..=10,
            // With fewer tokens, the tokens reserved for the answer would leave none for a step.
            Self::Tokens => 5_000..=MOST_TOKENS,
            Self::Minutes => 1..=120,
            Self::ToolCalls => 1..=100,
            Self::Cents => 1..=MOST_CENTS,
            Self::Month => 1..=10_000,
            Self::Warning => 10..=100,
        }
    }

    /// Returns the current value, in the unit of the limit. `None` if the limit is not set.
    pub fn of(self, preferences: &Preferences) -> Option<u32> {
        match self {
            Self::Steps => preferences.max_steps.map(u32::from),
            Self::Tokens => Some(preferences.max_tokens),
            Self::Minutes => Some(preferences.max_minutes),
            Self::ToolCalls => Some(preferences.max_tool_calls),
            Self::Cents => Some(preferences.max_cost_cents),
            Self::Month => preferences.max_month_dollars,
            Self::Warning => Some(preferences.warn_percent.into()),
        }
    }

    /// Parses the text that the user typed. Returns `None` for an empty text if the limit may be
    /// unset.
    ///
    /// # Errors
    /// The problem with the value, if it is not allowed.
    pub fn read(self, typed: &str) -> Result<Option<u32>, Problem> {
        let typed = typed.trim();
        if typed.is_empty() && self.may_be_unset() {
            return Ok(None);
        }
        let number = typed.parse().ok();
        let allowed = number.filter(|number| self.range().contains(number));
        allowed.map(Some).ok_or_else(|| self.refusal())
    }

    fn may_be_unset(self) -> bool {
        matches!(self, Self::Steps | Self::Month)
    }

    pub(super) fn problem(self, set: Option<u32>) -> Option<Problem> {
        let allowed = match set {
            Some(number) => self.range().contains(&number),
            None => self.may_be_unset(),
        };
        (!allowed).then(|| self.refusal())
    }

    /// Sets a value that [`Limit::read`] returned.
    pub(crate) fn set(self, preferences: &mut Preferences, value: Option<u32>) {
        match (self, value) {
            (Self::Steps, steps) => {
                preferences.max_steps = steps.and_then(|steps| steps.try_into().ok());
            }
            (Self::Month, dollars) => preferences.max_month_dollars = dollars,
            (Self::Tokens, Some(tokens)) => preferences.max_tokens = tokens,
            (Self::Minutes, Some(minutes)) => preferences.max_minutes = minutes,
            (Self::ToolCalls, Some(calls)) => preferences.max_tool_calls = calls,
            (Self::Cents, Some(cents)) => preferences.max_cost_cents = cents,
            (Self::Warning, Some(percent)) => {
                preferences.warn_percent = percent.try_into().unwrap_or(u8::MAX);
            }
            (
                Self::Tokens | Self::Minutes | Self::ToolCalls | Self::Cents | Self::Warning,
                None,
            ) => {}
        }
    }

    fn refusal(self) -> Problem {
        let key = match self {
            Self::Steps | Self::Month => phrase("options_steps_range"),
            _ => phrase("options_range"),
        };
        let range = self.range();
        Problem {
            field: FieldName::Limit(self),
            words: key.with(range.start()).with(range.end()),
        }
    }
}
