//! Servers that many people use, so that nobody has to look their address up.

use super::origin_of;
use serde::{Deserialize, Serialize};

/// A preset for a profile. All of them speak Chat Completions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Provider {
    /// `OpenAI` itself.
    OpenAi,
    /// Ollama on this computer.
    Ollama,
    /// LM Studio on this computer.
    LmStudio,
    /// `OpenRouter`.
    OpenRouter,
    /// Any server that speaks as `OpenAI` does.
    Other,
}

impl Provider {
    /// In the order of the page.
    pub const ALL: [Self; 5] = [
        Self::OpenAi,
        Self::Ollama,
        Self::LmStudio,
        Self::OpenRouter,
        Self::Other,
    ];

    /// The provider's own name; `None` where it has none.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::OpenAi => Some("OpenAI"),
            Self::Ollama => Some("Ollama"),
            Self::LmStudio => Some("LM Studio"),
            Self::OpenRouter => Some("OpenRouter"),
            Self::Other => None,
        }
    }

    /// Where it is; empty where only the person knows.
    pub fn base_url(self) -> &'static str {
        match self {
            Self::OpenAi => "https://api.openai.com/v1",
            Self::Ollama => "http://localhost:11434/v1",
            Self::LmStudio => "http://localhost:1234/v1",
            Self::OpenRouter => "https://openrouter.ai/api/v1",
            Self::Other => "",
        }
    }

    /// Whether it answers nobody without a key.
    pub fn needs_key(self) -> bool {
        match self {
            Self::OpenAi | Self::OpenRouter => true,
            Self::Ollama | Self::LmStudio | Self::Other => false,
        }
    }

    /// Where a key is made.
    pub fn keys_page(self) -> Option<&'static str> {
        match self {
            Self::OpenAi => Some("https://platform.openai.com/api-keys"),
            Self::OpenRouter => Some("https://openrouter.ai/settings/keys"),
            Self::Ollama | Self::LmStudio | Self::Other => None,
        }
    }

    /// Whose server is at an address.
    pub fn at(base_url: &str) -> Self {
        let origin = origin_of(base_url);
        let known = Self::ALL.into_iter().find(|provider| {
            let theirs = origin_of(provider.base_url());
            theirs.is_some() && theirs == origin
        });
        known.unwrap_or(Self::Other)
    }
}
