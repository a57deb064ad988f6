//! The language in which a model is spoken to.

use serde::{Deserialize, Serialize};

/// A language that prompts are written in. Answers come in any.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Language {
    /// English, and for whoever has none of their own.
    #[default]
    #[serde(rename = "en")]
    English,
    /// Chinese.
    #[serde(rename = "zh")]
    Chinese,
}

impl Language {
    /// In the order of Options.
    pub const ALL: [Self; 2] = [Self::English, Self::Chinese];

    /// For an interface of this BCP 47 tag.
    pub fn of(tag: &str) -> Self {
        if tag.starts_with("zh") {
            Self::Chinese
        } else {
            Self::English
        }
    }

    /// As it is stored.
    pub fn id(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh",
        }
    }
}
