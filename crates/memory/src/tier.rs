//! The tiers of facts: how long a fact is kept, and how many facts a tier contains (SPEC §5).

use serde::{Deserialize, Serialize};

pub(super) const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// The tier of a fact. It sets how long the fact is kept and how many facts the tier may contain.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Kept for ever.
    Core,
    /// Kept for 90 days.
    #[default]
    Important,
    /// Kept for 30 days.
    Context,
}

impl Tier {
    /// All tiers. The tier that keeps facts longest is first.
    pub const ALL: [Self; 3] = [Self::Core, Self::Important, Self::Context];

    /// Returns the tier's name, for models and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Important => "important",
            Self::Context => "context",
        }
    }

    /// Returns the maximum number of facts in the tier.
    pub fn most(self) -> usize {
        match self {
            Self::Core => 8,
            Self::Important => 12,
            Self::Context => 6,
        }
    }

    /// Returns the number of days that a fact is kept; `None` means that it is kept for ever.
    pub fn days(self) -> Option<u64> {
        match self {
            Self::Core => None,
            Self::Important => Some(90),
            Self::Context => Some(30),
        }
    }

    /// Returns the number of days without use after which a fact has half its value. `None` means
    /// that the fact keeps its value.
    pub(super) fn half_life_days(self) -> Option<f64> {
        match self {
            Self::Core => None,
            Self::Important => Some(45.0),
            Self::Context => Some(15.0),
        }
    }

    /// Returns the time at which a fact that was stated at `now_ms` expires, in milliseconds since
    /// the Unix epoch. `None` means that the fact never expires.
    pub(super) fn expires_at_ms(self, now_ms: u64) -> Option<u64> {
        self.days().map(|days| now_ms.saturating_add(days * DAY_MS))
    }
}
