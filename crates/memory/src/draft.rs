//! Drafts: facts that are proposed for saving, before they are checked.

use super::{Category, Fact, FactId, Source, SourceKind, Tier};
use gloss_markdown::clean;

/// The maximal length of a fact, in characters (DETAILS §5).
pub const MOST_CHARACTERS: usize = 300;

/// The maximal number of keywords of a fact.
const MOST_KEYWORDS: usize = 12;

/// The maximal length of a keyword, in characters.
const KEYWORD: usize = 40;

/// A fact that is proposed for saving. Absent fields have defaults (DETAILS §5): preference,
/// important, confidence 0.8.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The fact as a sentence.
    pub content: String,
    /// True if the fact is about the user, according to the model that saves it.
    pub about_user: bool,
    /// True if the fact lasts, according to that model; `false` if it is only true now.
    pub lasting: bool,
    /// The fact's category.
    pub category: Option<Category>,
    /// The fact's tier.
    pub tier: Option<Tier>,
    /// The confidence, from 0 to 1.
    pub confidence: Option<f64>,
    /// Additional words by which the fact is found.
    pub keywords: Vec<String>,
    /// The known fact that is no longer true.
    pub replaces: Option<FactId>,
    /// True if the user didn't ask for it to be saved.
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
    /// Returns the draft as it would be saved: without invisible and direction-changing characters,
    /// and without excess keywords.
    #[must_use]
    pub fn sanitized(&self) -> Self {
        Self {
            content: tidy(&self.content),
            keywords: tidy_keywords(&self.keywords),
            ..self.clone()
        }
    }

    /// Returns the draft with the category and tier of `fact` where it has none.
    pub(super) fn like(&self, fact: &Fact) -> Self {
        Self {
            category: self.category.or(Some(fact.category)),
            tier: self.tier.or(Some(fact.tier)),
            ..self.clone()
        }
    }
}

/// The origin of a saved fact: action, source and time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The key of the action; a repeated action saves nothing twice.
    pub act: String,
    /// The kind of source.
    pub how: SourceKind,
    /// The id of the conversation, if there is one.
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

    /// The id of the fact at this place among the action's drafts.
    pub(super) fn id(&self, place: usize) -> FactId {
        FactId::of(&format!("{}.{place}", self.act))
    }
}

/// Returns the text on one line, without surrounding blanks or characters that change the direction
/// of other text.
pub(super) fn tidy(text: &str) -> String {
    let clean = clean(text);
    let words: Vec<&str> = clean.split_whitespace().collect();
    words.join(" ")
}

/// Tidies keywords, without blank, overlong and excess ones.
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
