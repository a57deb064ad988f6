//! What a person put in the place of defaults.

use super::{Name, Template, TemplateError};
use gloss_durable::sorted::SortedMap;
use gloss_text::Language;
use gloss_text::tokens::estimate;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value as Json;

/// What the budgets set aside for the words of a system, in tokens (SPEC §9).
pub const SYSTEM_TOKENS: u32 = 500;

/// What a text costs where that is more than is set aside, estimated in tokens: in a small
/// window it leaves no room for anything else.
pub fn beyond_budget(text: &str) -> Option<u32> {
    Some(estimate(text)).filter(|tokens| *tokens > SYSTEM_TOKENS)
}

/// Texts of a person's own, by template and language. One that is not valid is kept, to
/// be mended, and is not in force.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Overrides(SortedMap<String, String>);

impl<'de> Deserialize<'de> for Overrides {
    /// What is no text is left out: a damaged prompt costs no other setting.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Json::Object(all) = Json::deserialize(deserializer)? else {
            return Ok(Self::default());
        };
        let texts = all.into_iter().filter_map(|(key, text)| match text {
            Json::String(text) => Some((key, text)),
            _ => None,
        });
        Ok(Self(texts.collect()))
    }
}

fn key(name: Name, language: Language) -> String {
    format!("{}.{}", name.id(), language.id())
}

impl Overrides {
    /// The text of a person's own, valid or not.
    pub fn get(&self, name: Name, language: Language) -> Option<&str> {
        self.0.get(&key(name, language)).map(String::as_str)
    }

    /// Sets it; `None` goes back to the default.
    pub fn set(&mut self, name: Name, language: Language, text: Option<String>) {
        let key = key(name, language);
        match text {
            Some(text) => self.0.insert(key, text),
            None => self.0.remove(&key),
        };
    }

    /// Takes over all of `others`.
    pub fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is wrong with the first that is not valid, as one may be that was valid in an
    /// older Gloss: the default is in force in its place.
    pub fn first_wrong(&self) -> Option<TemplateError> {
        let each = |name| Language::OF_PROMPTS.map(|language| (name, language));
        let mut all = Name::ALL.into_iter().flat_map(each);
        all.find_map(|(name, language)| {
            let own = self.get(name, language)?;
            check(name, language, own).err()
        })
    }

    /// Those of one language: what a run is told.
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

/// The default as a person reads and changes it: its sections.
pub fn default_body(name: Name, language: Language) -> String {
    // Every default is a template: `tests.rs`.
    let default = Template::parse(name.text(language));
    default.map(|default| default.body()).unwrap_or_default()
}

/// Whether a text says what the default says.
pub fn is_default(name: Name, language: Language, text: &str) -> bool {
    default_body(name, language) == text.trim()
}

/// Whether a text may stand in the place of a default.
///
/// # Errors
/// The first thing that is wrong, with its line.
pub fn check(name: Name, language: Language, text: &str) -> Result<(), TemplateError> {
    let default = Template::parse(name.text(language))?;
    default.with_body(text).map(drop)
}
