//! A fact that someone wants kept, before it is judged.

use super::{Category, Fact, FactId, How, Source, Tier};
use gloss_markdown::clean;

/// The longest fact, in characters (DETAILS §5).
pub const MOST_CHARACTERS: usize = 300;

/// The most other words that a fact is found by.
const MOST_KEYWORDS: usize = 12;

/// The longest of them, in characters.
const KEYWORD: usize = 40;

/// A fact that someone wants kept. What is absent has a default (DETAILS §5):
/// preference, important, confidence 0.8.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The fact in a sentence.
    pub content: String,
    /// Whether it is about the user, as the model says that saves it.
    pub about_user: bool,
    /// Whether it lasts, as that model says; `false`: it is only true now.
    pub lasting: bool,
    /// What it is about.
    pub category: Option<Category>,
    /// How lasting it is.
    pub tier: Option<Tier>,
    /// How sure it is, 0 to 1.
    pub confidence: Option<f64>,
    /// Other words that it is found by.
    pub keywords: Vec<String>,
    /// The known fact that is no longer so.
    pub replaces: Option<FactId>,
    /// Whether the person did not ask for it to be kept.
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
    /// As it would be kept: without what turns or hides words, and what is too much.
    #[must_use]
    pub fn as_kept(&self) -> Self {
        Self {
            content: tidied(&self.content),
            keywords: tidied_all(&self.keywords),
            ..self.clone()
        }
    }

    /// The same, of the kind of another fact where it does not say of which.
    pub(super) fn like(&self, fact: &Fact) -> Self {
        Self {
            category: self.category.or(Some(fact.category)),
            tier: self.tier.or(Some(fact.tier)),
            ..self.clone()
        }
    }
}

/// Who keeps it, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The act: done again, it keeps nothing twice.
    pub act: String,
    /// How the facts came here.
    pub how: How,
    /// In which conversation, if in one.
    pub conversation: Option<String>,
    /// In milliseconds since the Unix epoch.
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

    /// The fact that is this act's in this place.
    pub(super) fn id(&self, place: usize) -> FactId {
        FactId::of(&format!("{}.{place}", self.act))
    }
}

/// On one line, without blanks around it and characters that would turn other words.
pub(super) fn tidied(text: &str) -> String {
    let clean = clean(text);
    let words: Vec<&str> = clean.split_whitespace().collect();
    words.join(" ")
}

/// The same of keywords; blank ones and what is too much are left out.
pub(super) fn tidied_all(words: &[String]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for word in words {
        let word = tidied(word);
        let fits = !word.is_empty() && word.chars().count() <= KEYWORD;
        if fits && all.len() < MOST_KEYWORDS && !all.contains(&word) {
            all.push(word);
        }
    }
    all
}
