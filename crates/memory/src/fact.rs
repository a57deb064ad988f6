//! A fact about the person, as it is kept.

use gloss_durable::content_hash;
use serde::{Deserialize, Serialize};

const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// The most characters of an id.
const ID: usize = 16;

/// The id of a fact. It is short, as models read it and give it back.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FactId(pub String);

impl FactId {
    /// The id that belongs to a name, of any length.
    pub(super) fn of(name: &str) -> Self {
        Self(content_hash(name).chars().take(ID / 2).collect())
    }

    /// The id that a file has: itself if it is short, else one made from it, as a model
    /// will read it.
    pub(super) fn checked(self) -> Self {
        let of_id = |it: u8| it.is_ascii_alphanumeric() || it == b'-';
        let is_short = (1..=ID).contains(&self.0.len()) && self.0.bytes().all(of_id);
        if is_short { self } else { Self::of(&self.0) }
    }
}

/// What a fact is about (SPEC §5).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// Who they are.
    Profile,
    /// What they like, and how.
    #[default]
    Preference,
    /// What they work with.
    Technical,
    /// What they are at.
    Project,
}

impl Category {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 4] = [
        Self::Profile,
        Self::Preference,
        Self::Technical,
        Self::Project,
    ];

    /// By which models and files name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Profile => "profile",
            Self::Preference => "preference",
            Self::Technical => "technical",
            Self::Project => "project",
        }
    }
}

/// For how long a fact is kept, and beside how many others (SPEC §5).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// For ever.
    Core,
    /// For 90 days.
    #[default]
    Important,
    /// For 30 days.
    Context,
}

impl Tier {
    /// All of them, the most lasting first.
    pub const ALL: [Self; 3] = [Self::Core, Self::Important, Self::Context];

    /// By which models and files name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Important => "important",
            Self::Context => "context",
        }
    }

    /// How many facts it has room for.
    pub fn most(self) -> usize {
        match self {
            Self::Core => 8,
            Self::Important => 12,
            Self::Context => 6,
        }
    }

    /// How long a fact of it is kept; `None`: for ever.
    pub fn days(self) -> Option<u64> {
        match self {
            Self::Core => None,
            Self::Important => Some(90),
            Self::Context => Some(30),
        }
    }

    /// After so many days without use half of a fact's value is gone (DETAILS §5).
    fn half_life_days(self) -> Option<f64> {
        match self {
            Self::Core => None,
            Self::Important => Some(45.0),
            Self::Context => Some(15.0),
        }
    }

    /// When a fact said at `now_ms` goes, in milliseconds since the Unix epoch.
    pub(super) fn expires_at_ms(self, now_ms: u64) -> Option<u64> {
        self.days().map(|days| now_ms.saturating_add(days * DAY_MS))
    }
}

/// How a fact came here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// A model took it from a conversation.
    Conversation,
    /// The person wrote it in Options.
    Typed,
    /// The person read it in from a file.
    Imported,
}

/// Where a fact is from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The conversations it was told in, by their ids.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conversations: Vec<String>,
    /// How it came here.
    pub how: How,
    /// Whether it was saved without the person having asked for it.
    #[serde(default)]
    pub by_itself: bool,
    /// Whether the person put it in their own words since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub edited: bool,
}

/// The fact that another one replaced.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Replaced {
    /// The older fact, whole, for *Undo*.
    pub fact: Box<Fact>,
    /// When it was replaced, in milliseconds since the Unix epoch.
    pub at_ms: u64,
}

/// Something that is known of the person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// Which.
    pub id: FactId,
    /// It, in a sentence.
    pub content: String,
    /// What it is about.
    #[serde(default)]
    pub category: Category,
    /// How lasting it is.
    #[serde(default)]
    pub tier: Tier,
    /// How sure it is, 0 to 1.
    #[serde(default = "usual")]
    pub confidence: f64,
    /// Other words that it is found by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<String>,
    /// Where it is from.
    pub source: Source,
    /// When it was first told, in milliseconds since the Unix epoch.
    pub created_at_ms: u64,
    /// When it was last used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_at_ms: Option<u64>,
    /// How often.
    #[serde(default)]
    pub uses: u32,
    /// When it goes; `None`: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at_ms: Option<u64>,
    /// Whether it stays whatever it is worth.
    #[serde(default)]
    pub pinned: bool,
    /// The fact that it replaced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced: Option<Replaced>,
}

/// The confidence of what says none (DETAILS §5).
pub(super) fn usual() -> f64 {
    0.8
}

impl Fact {
    /// What it is worth at `now_ms` (DETAILS §5): confidence × (1 + ln(1 + uses)) ×
    /// 0.5^(days since use / half-life). The same bits natively and in wasm.
    pub fn value(&self, now_ms: u64) -> f64 {
        let use_ms = self.used_at_ms.unwrap_or(self.created_at_ms);
        let days = now_ms.saturating_sub(use_ms) as f64 / DAY_MS as f64;
        let used = 1.0 + libm::log1p(f64::from(self.uses));
        let left = self
            .tier
            .half_life_days()
            .map_or(1.0, |half_life| libm::pow(0.5, days / half_life));
        self.confidence * used * left
    }

    /// Whether its words are the person's own.
    pub(super) fn is_worded(&self) -> bool {
        self.source.edited || self.source.how == How::Typed
    }

    /// Whether its time is over: a pinned one's never is.
    pub(super) fn is_over(&self, now_ms: u64) -> bool {
        !self.pinned && self.expires_at_ms.is_some_and(|at_ms| at_ms <= now_ms)
    }
}

/// A fact as it is told to whom it is about: without naming them.
pub fn plainly(content: &str) -> String {
    let bare = ["The user ", "User ", "用户"]
        .into_iter()
        .find_map(|who| content.strip_prefix(who));
    bare.unwrap_or(content).to_owned()
}
