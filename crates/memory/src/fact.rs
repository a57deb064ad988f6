//! Facts about the user, as stored.

use super::Tier;
use gloss_durable::content_hash;
use gloss_model::provenance::{Origin, Provenance};
use serde::{Deserialize, Serialize};

/// The maximum length of an id, in characters.
const ID: usize = 16;

/// The id of a fact. Ids are short, because models must read and repeat them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FactId(pub String);

impl FactId {
    /// Derives the id from a name of any length.
    pub(super) fn of(name: &str) -> Self {
        Self(content_hash(name).chars().take(ID / 2).collect())
    }

    /// Checks an id from a file. A short id of letters, digits and `-` is returned unchanged. Any
    /// other id is replaced by a derived one, which is short enough for a model to repeat.
    pub(super) fn checked(self) -> Self {
        let of_id = |it: u8| it.is_ascii_alphanumeric() || it == b'-';
        let is_short = (1..=ID).contains(&self.0.len()) && self.0.bytes().all(of_id);
        if is_short { self } else { Self::of(&self.0) }
    }
}

/// The category of a fact.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// The user's identity and background.
    Profile,
    /// The user's preferences.
    #[default]
    Preference,
    /// The user's tools and technologies.
    Technical,
    /// The user's current projects.
    Project,
}

impl Category {
    /// All categories, in the order of display.
    pub const ALL: [Self; 4] = [
        Self::Profile,
        Self::Preference,
        Self::Technical,
        Self::Project,
    ];

    /// Returns the category's name, for models and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Profile => "profile",
            Self::Preference => "preference",
            Self::Technical => "technical",
            Self::Project => "project",
        }
    }
}

/// The way in which a fact was added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    /// A model saved the fact from a conversation.
    Conversation,
    /// The user wrote the fact in Options.
    Typed,
    /// The user imported the fact from a file.
    Imported,
}

/// The source of a fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The ids of the conversations in which the fact was stated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conversations: Vec<String>,
    /// The way in which the fact was added.
    pub how: SourceKind,
    /// The origins of the fact's text: everything that the saving run had read, or the user if the
    /// user wrote or edited the fact.
    #[serde(default)]
    pub provenance: Provenance,
    /// True if a model saved the fact although the user had not asked for it.
    #[serde(default)]
    pub by_itself: bool,
    /// True if the user has edited the fact since it was added.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub edited: bool,
}

/// A fact that another fact replaced.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReplacedFact {
    /// The complete older fact, which *Undo* restores.
    pub fact: Box<Fact>,
    /// The time of the replacement, in milliseconds since the Unix epoch.
    pub at_ms: u64,
}

/// A fact about the user.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// The fact's id.
    pub id: FactId,
    /// The fact as a sentence.
    pub content: String,
    /// The fact's category.
    #[serde(default)]
    pub category: Category,
    /// The fact's tier.
    #[serde(default)]
    pub tier: Tier,
    /// The confidence that the fact is true, from 0 to 1.
    #[serde(default = "default_confidence")]
    pub confidence: f64,
    /// Further words by which a search finds the fact.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keywords: Vec<String>,
    /// The source of the fact.
    pub source: Source,
    /// The time at which the fact was first stated, in milliseconds since the Unix epoch.
    pub created_at_ms: u64,
    /// The time at which a run last used the fact, in milliseconds since the Unix epoch. `None` if
    /// no run has used it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_at_ms: Option<u64>,
    /// The number of times that a run used the fact.
    #[serde(default)]
    pub uses: u32,
    /// The time at which the fact expires, in milliseconds since the Unix epoch. `None` means that
    /// it never expires.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at_ms: Option<u64>,
    /// True if the user pinned the fact, so that it is never removed automatically.
    #[serde(default)]
    pub pinned: bool,
    /// The fact that this one replaced, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced: Option<ReplacedFact>,
}

pub(super) fn default_confidence() -> f64 {
    0.8
}

impl Fact {
    /// Returns true if the user wrote or edited the fact.
    pub(super) fn is_worded(&self) -> bool {
        self.source.edited || self.source.how == SourceKind::Typed
    }

    /// Returns the origins of the fact's text, and of the text of the fact that it replaced. A fact
    /// that states none counts as a document's text.
    pub fn provenance(&self) -> Provenance {
        let mut provenance = self.source.provenance.clone();
        if provenance.is_empty() {
            provenance = Provenance::of(Origin::Document);
        }
        if let Some(replaced) = &self.replaced {
            provenance.add(&replaced.fact.provenance());
        }
        provenance
    }

    /// Returns true if the fact has expired. A pinned fact never expires.
    pub(super) fn is_over(&self, now_ms: u64) -> bool {
        !self.pinned && self.expires_at_ms.is_some_and(|at_ms| at_ms <= now_ms)
    }
}

/// Returns a fact's sentence for display: `"The user lives in Berlin"` -> `"lives in Berlin"`.
pub fn without_subject(content: &str) -> String {
    let bare = ["The user ", "User ", "用户"]
        .into_iter()
        .find_map(|who| content.strip_prefix(who));
    bare.unwrap_or(content).to_owned()
}
