//! The limits of one run, and what each may be (DETAILS §2).

use super::{FieldName, Preferences, Problem};
use crate::phrase::phrase;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// Something of which a run may spend only so much.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// Steps; automatic where nothing is set.
    Steps,
    /// Tokens.
    Tokens,
    /// Minutes at work.
    Minutes,
    /// Tool calls.
    ToolCalls,
}

impl Limit {
    /// In the order of the page.
    pub const ALL: [Self; 4] = [Self::Steps, Self::Tokens, Self::Minutes, Self::ToolCalls];

    /// What may be set.
    pub fn range(self) -> RangeInclusive<u32> {
        match self {
            Self::Steps => 1..=10,
            // Below, nothing is left for a first step beside the closing answer.
            Self::Tokens => 5_000..=1_000_000,
            Self::Minutes => 1..=120,
            Self::ToolCalls => 1..=100,
        }
    }

    /// What is set; `None` is automatic.
    pub fn of(self, preferences: &Preferences) -> Option<u32> {
        match self {
            Self::Steps => preferences.max_steps.map(u32::from),
            Self::Tokens => Some(preferences.max_tokens),
            Self::Minutes => Some(preferences.max_minutes),
            Self::ToolCalls => Some(preferences.max_tool_calls),
        }
    }

    /// What a person typed, if it may be set.
    ///
    /// # Errors
    /// The words for the field.
    pub fn read(self, typed: &str) -> Result<Option<u32>, Problem> {
        let typed = typed.trim();
        if typed.is_empty() && self == Self::Steps {
            return Ok(None);
        }
        let number = typed.parse().ok();
        let allowed = number.filter(|number| self.range().contains(number));
        allowed.map(Some).ok_or_else(|| self.refusal())
    }

    pub(super) fn problem(self, set: Option<u32>) -> Option<Problem> {
        let allowed = match set {
            Some(number) => self.range().contains(&number),
            None => self == Self::Steps,
        };
        (!allowed).then(|| self.refusal())
    }

    /// Sets what [`Limit::read`] gave.
    pub(in crate::app) fn set(self, preferences: &mut Preferences, value: Option<u32>) {
        match (self, value) {
            (Self::Steps, steps) => {
                preferences.max_steps = steps.and_then(|steps| steps.try_into().ok());
            }
            (Self::Tokens, Some(tokens)) => preferences.max_tokens = tokens,
            (Self::Minutes, Some(minutes)) => preferences.max_minutes = minutes,
            (Self::ToolCalls, Some(calls)) => preferences.max_tool_calls = calls,
            (Self::Tokens | Self::Minutes | Self::ToolCalls, None) => {}
        }
    }

    fn refusal(self) -> Problem {
        let key = match self {
            Self::Steps => phrase("options_steps_range"),
            Self::Tokens | Self::Minutes | Self::ToolCalls => phrase("options_range"),
        };
        let range = self.range();
        Problem {
            field: FieldName::Limit(self),
            words: key.with(range.start()).with(range.end()),
        }
    }
}
