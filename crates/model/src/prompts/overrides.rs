//! The texts that the user wrote in place of default prompts.

use super::{Name, Template, TemplateError};
use gloss_durable::sorted::SortedMap;
use gloss_text::Language;
use gloss_text::tokens::estimate;
use serde::{Deserialize, Serialize};

/// The tokens of a system message for which the budgets of SPEC §9 have room.
pub const SYSTEM_TOKENS: u32 = 500;

/// Returns the estimated tokens of a text, if there are more than [`SYSTEM_TOKENS`]; otherwise
/// `None`. In a small context window, a longer text leaves too few tokens for the page and the
/// answer.
pub fn beyond_budget(text: &str) -> Option<u32> {
    Some(estimate(text)).filter(|tokens| *tokens > SYSTEM_TOKENS)
}

/// The user's own texts, by template and language. An invalid text is also stored, so that the user
/// can correct it, but the default is used instead.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Overrides(SortedMap<String, String>);

fn key(name: Name, language: Language) -> String {
    format!("{}.{}", name.id(), language.id())
}

impl Overrides {
    /// Returns the user's own text, even if it is invalid. `None` if the user wrote no text for
    /// this template.
    pub fn get(&self, name: Name, language: Language) -> Option<&str> {
        self.0.get(&key(name, language)).map(String::as_str)
    }

    /// Sets the user's text; `None` restores the default.
    pub fn set(&mut self, name: Name, language: Language, text: Option<String>) {
        let key = key(name, language);
        match text {
            Some(text) => self.0.insert(key, text),
            None => self.0.remove(&key),
        };
    }

    /// Adds all overrides of `others`. If both have a text for the same template and language, the
    /// text of `others` wins.
    pub fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// Returns true if the user has overridden no template.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the error of the first invalid override. An override that was valid in an older
    /// version of Gloss can be invalid now. The default is used in place of an invalid override.
    pub fn first_wrong(&self) -> Option<TemplateError> {
        let each = |name| Language::OF_PROMPTS.map(|language| (name, language));
        let mut all = Name::ALL.into_iter().flat_map(each);
        all.find_map(|(name, language)| {
            let own = self.get(name, language)?;
            check(name, language, own).err()
        })
    }

    /// Returns the overrides in one language. A run needs no others, because its prompts have one
    /// language.
    #[must_use]
    pub fn of(&self, language: Language) -> Self {
        let mut own = Self::default();
        for name in Name::ALL {
            let text = self.get(name, language).map(str::to_owned);
            own.set(name, language, text);
        }
        own
    }
}

/// Returns the sections of the default template as text, which the user reads and edits.
pub fn default_body(name: Name, language: Language) -> String {
    // Parsing can't fail here, because the tests check that every default is valid.
    let default = Template::parse(name.text(language));
    default.map(|default| default.body()).unwrap_or_default()
}

/// Returns true if a text equals the default. White space before and after the text is ignored.
pub fn is_default(name: Name, language: Language, text: &str) -> bool {
    default_body(name, language) == text.trim()
}

/// Checks that a text is a valid override of a default template.
///
/// # Errors
/// The first error in the text, with its line.
pub fn check(name: Name, language: Language, text: &str) -> Result<(), TemplateError> {
    let default = Template::parse(name.text(language))?;
    default.with_body(text).map(drop)
}
