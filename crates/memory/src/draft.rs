//! Drafts: facts that a model or the user wants to save. They are checked before they are saved.

use super::{Category, Fact, FactId, Source, SourceKind, Tier};
use gloss_markdown::clean;

/// The maximum length of a fact, in characters.
pub const MOST_CHARACTERS: usize = 300;

/// The maximum number of keywords of a fact.
const MOST_KEYWORDS: usize = 12;

/// The maximum length of a keyword, in characters.
const KEYWORD: usize = 40;

/// A fact that someone wants to save. Fields that are absent have defaults: category preference,
/// tier important, confidence 0.8.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The fact as a sentence.
    pub content: String,
    /// True if the model that saves the fact says that it is about the user.
    pub about_user: bool,
    /// True if that model says that the fact will stay true; `false` if it is true only now.
    pub lasting: bool,
    /// The fact's category.
    pub category: Option<Category>,
    /// The fact's tier.
    pub tier: Option<Tier>,
    /// The confidence, from 0 to 1.
    pub confidence: Option<f64>,
    /// More words by which a search finds the fact.
    pub keywords: Vec<String>,
    /// The known fact that this one replaces, because it is no longer true.
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

    /// Returns the draft. If it has no category or tier, it gets that of `fact`.
    pub(super) fn like(&self, fact: &Fact) -> Self {
        Self {
            category: self.category.or(Some(fact.category)),
            tier: self.tier.or(Some(fact.tier)),
            ..self.clone()
        }
    }
}

/// The origin of saved facts: action, source and time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The key of the action. An action that is repeated with the same key saves nothing twice.
    pub act: String,
    /// The kind of source.
    pub how: SourceKind,
    /// The id of the conversation; `None` if the fact is not from a conversation.
    pub conversation: Option<String>,
    /// The time, in milliseconds since the Unix epoch.
    pub now_ms: u64,
}

impl Origin {
    pub(super) fn source(&self, by_itself: bool) -> Source {
        Source {
            conversations: self.conversation.iter().cloned().collect(),
            how: self.how,
            by_itself,
            edited: false,
        }
    }

    /// The id of the fact that is saved for the draft with index `place`.
    pub(super) fn id(&self, place: usize) -> FactId {
        FactId::of(&format!("{}.{place}", self.act))
    }
}

/// Returns the text on one line, without spaces at the ends. Characters that change the direction
/// of other text are removed.
pub(super) fn tidy(text: &str) -> String {
    let clean = clean(text);
    let words: Vec<&str> = clean.split_whitespace().collect();
    words.join(" ")
}

/// Returns tidied keywords. Blank keywords, long ones, and those above the maximum number are left
/// out.
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
