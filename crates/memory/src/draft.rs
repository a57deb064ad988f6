//! Drafts: facts that a model or the user wants to save. They are checked before they are saved.

use super::{Category, Fact, FactId, Source, SourceKind, Tier};
use gloss_markdown::clean;
use gloss_model::provenance::Provenance;

/// The maximum length of a fact, in characters.
pub const MOST_CHARACTERS: usize = 300;

/// The maximum number of keywords of a fact.
const MOST_KEYWORDS: usize = 12;

/// The maximum length of a keyword, in characters.
const KEYWORD: usize = 40;

/// A fact that a model or the user wants to save. The defaults are: category preference, tier
/// important, confidence 0.8.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The fact as a sentence.
    pub content: String,
    /// True if the model that saves the fact says that the fact is about the user.
    pub about_user: bool,
    /// True if the model that saves the fact says that it will stay true. False if it is true only
    /// now.
    pub lasting: bool,
    /// The fact's category. If it is `None`, that of the replaced or edited fact is used, or the
    /// default if there is no such fact.
    pub category: Option<Category>,
    /// The fact's tier. If it is `None`, that of the replaced or edited fact is used, or the
    /// default if there is no such fact.
    pub tier: Option<Tier>,
    /// The confidence that the fact is true, from 0 to 1.
    pub confidence: Option<f64>,
    /// Further words by which a search finds the fact.
    pub keywords: Vec<String>,
    /// The id of the known fact that is no longer true and that this draft replaces.
    pub replaces: Option<FactId>,
    /// True if the user did not ask to save the fact.
    pub by_itself: bool,
}

impl Default for Draft {
    fn default() -> Self {
        Self {
            content: String::new(),
            about_user: true,
            lasting: true,
            category: None,
            tier: None,
            confidence: None,
            keywords: Vec::new(),
            replaces: None,
            by_itself: false,
        }
    }
}

impl Draft {
    /// Returns the draft as it would be saved. Invisible characters and characters that change the
    /// text's direction are removed. Keywords above the maximum number are left out.
    #[must_use]
    pub fn sanitized(&self) -> Self {
        Self {
            content: tidy(&self.content),
            keywords: tidy_keywords(&self.keywords),
            ..self.clone()
        }
    }

    /// Returns a copy of the draft. A missing category or tier is copied from `fact`.
    pub(super) fn like(&self, fact: &Fact) -> Self {
        Self {
            category: self.category.or(Some(fact.category)),
            tier: self.tier.or(Some(fact.tier)),
            ..self.clone()
        }
    }
}

/// The origin of saved facts: the action that saves them, the source, and the time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The key of the action that saves the facts. If an action is repeated with the same key,
    /// nothing is saved twice.
    pub act: String,
    /// The kind of source.
    pub how: SourceKind,
    /// The id of the conversation; `None` if the fact is not from a conversation.
    pub conversation: Option<String>,
    /// The origins of the facts: everything that the saving run had read.
    pub provenance: Provenance,
    /// The time at which the facts are saved, in milliseconds since the Unix epoch.
    pub now_ms: u64,
}

impl Origin {
    pub(super) fn source(&self, by_itself: bool) -> Source {
        Source {
            conversations: self.conversation.iter().cloned().collect(),
            how: self.how,
            provenance: self.provenance.clone(),
            by_itself,
            edited: false,
        }
    }

    /// Returns the id of the fact that is saved for the draft with index `place`.
    pub(super) fn id(&self, place: usize) -> FactId {
        FactId::of(&format!("{}.{place}", self.act))
    }
}

/// Returns the text on one line, without spaces at the ends. Characters that change the direction
/// of the text around them are removed.
pub(super) fn tidy(text: &str) -> String {
    let clean = clean(text);
    let words: Vec<&str> = clean.split_whitespace().collect();
    words.join(" ")
}

/// Cleans keywords with [`tidy`]. Blank, long and repeated keywords are removed, as are those after
/// the first [`MOST_KEYWORDS`].
pub(super) fn tidy_keywords(words: &[String]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for word in words {
        let word = tidy(word);
        let fits = !word.is_empty() && word.chars().count() <= KEYWORD;
        if fits && all.len() < MOST_KEYWORDS && !all.contains(&word) {
            all.push(word);
        }
    }
    all
}
