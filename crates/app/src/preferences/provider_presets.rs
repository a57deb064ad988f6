//! Presets for common servers, so that the user needn't know their addresses.

use super::origin_of;
use gloss_model::Api;
use serde::{Deserialize, Serialize};

/// A provider of models. A preset contains its APIs and addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Provider {
    /// `OpenAI`'s own API.
    OpenAi,
    /// Anthropic's own API.
    Anthropic,
    /// Google's Gemini API.
    Gemini,
    /// Ollama on this computer.
    Ollama,
    /// LM Studio on this computer.
    LmStudio,
    /// llama.cpp on this computer.
    LlamaCpp,
    /// vLLM on this computer.
    Vllm,
    /// The `OpenRouter` service.
    OpenRouter,
    /// The Groq service.
    Groq,
    /// `DeepSeek`'s own API.
    DeepSeek,
    /// Mistral's own API.
    Mistral,
    /// Any other server. Most other servers use the API of `OpenAI`.
    Other,
}

struct Preset {
    name: &'static str,
    /// The provider's APIs and their base addresses. The recommended API is first.
    speaks: &'static [(Api, &'static str)],
    /// The page on which the user creates a key; `None` if no key is needed.
    keys_page: Option<&'static str>,
}

impl Provider {
    /// All providers, in the order of the options page.
    pub const ALL: [Self; 12] = [
        Self::OpenAi,
        Self::Anthropic,
        Self::Gemini,
        Self::Ollama,
        Self::LmStudio,
        Self::LlamaCpp,
        Self::Vllm,
        Self::OpenRouter,
        Self::Groq,
        Self::DeepSeek,
        Self::Mistral,
        Self::Other,
    ];

    fn preset(self) -> Preset {
        let preset = |name, speaks, keys_page| Preset {
            name,
            speaks,
            keys_page,
        };
        match self {
            Self::OpenAi => preset(
                "OpenAI",
                &[
                    // `OpenAI`'s newest models call tools only through this API.
                    (Api::Responses, "https://api.openai.com/v1"),
                    (Api::ChatCompletions, "https://api.openai.com/v1"),
                ],
                Some("https://platform.openai.com/api-keys"),
            ),
            Self::Anthropic => preset(
                "Anthropic",
                &[(Api::Messages, "https://api.anthropic.com/v1")],
                Some("https://console.anthropic.com/settings/keys"),
            ),
            Self::Gemini => preset(
                "Google Gemini",
                &[(
                    Api::Gemini,
                    "https://generativelanguage.googleapis.com/v1beta",
                )],
                Some("https://aistudio.google.com/apikey"),
            ),
            Self::Ollama => preset(
                "Ollama",
                &[
                    (Api::Ollama, "http://localhost:11434"),
                    (Api::ChatCompletions, "http://localhost:11434/v1"),
                ],
                None,
            ),
            Self::LmStudio => preset(
                "LM Studio",
                &[(Api::ChatCompletions, "http://localhost:1234/v1")],
                None,
            ),
            Self::LlamaCpp => preset(
                "llama.cpp",
                &[(Api::ChatCompletions, "http://localhost:8080/v1")],
                None,
            ),
            Self::Vllm => preset(
                "vLLM",
                &[(Api::ChatCompletions, "http://localhost:8000/v1")],
                None,
            ),
            Self::OpenRouter => preset(
                "OpenRouter",
                &[(Api::ChatCompletions, "https://openrouter.ai/api/v1")],
                Some("https://openrouter.ai/settings/keys"),
            ),
            Self::Groq => preset(
                "Groq",
                &[(Api::ChatCompletions, "https://api.groq.com/openai/v1")],
                Some("https://console.groq.com/keys"),
            ),
            Self::DeepSeek => preset(
                "DeepSeek",
                &[(Api::ChatCompletions, "https://api.deepseek.com/v1")],
                Some("https://platform.deepseek.com/api_keys"),
            ),
            Self::Mistral => preset(
                "Mistral",
                &[(Api::ChatCompletions, "https://api.mistral.ai/v1")],
                Some("https://console.mistral.ai/api-keys"),
            ),
            Self::Other => preset(
                "",
                &[
                    (Api::ChatCompletions, ""),
                    (Api::Responses, ""),
                    (Api::Messages, ""),
                    (Api::Gemini, ""),
                    (Api::Ollama, ""),
                ],
                None,
            ),
        }
    }

    /// Returns the provider's name; `None` for [`Provider::Other`].
    pub fn name(self) -> Option<&'static str> {
        Some(self.preset().name).filter(|name| !name.is_empty())
    }

    /// Returns the provider's APIs. The recommended API is first.
    pub fn apis(self) -> impl Iterator<Item = Api> {
        self.preset().speaks.iter().map(|(api, _)| *api)
    }

    /// Returns the base address for an API. It is empty for a server whose address only the user
    /// knows.
    pub fn base_url(self, api: Api) -> &'static str {
        let speaks = self.preset().speaks;
        let place = speaks.iter().find(|(own, _)| *own == api);
        place.or(speaks.first()).map_or("", |(_, url)| url)
    }

    /// Returns true if the provider requires a key.
    pub fn needs_key(self) -> bool {
        self.keys_page().is_some()
    }

    /// Returns the page on which the user creates a key; `None` if no key is needed.
    pub fn keys_page(self) -> Option<&'static str> {
        self.preset().keys_page
    }

    /// Returns the provider with the same origin as `base_url`, or [`Provider::Other`] if there is
    /// none.
    pub fn at(base_url: &str) -> Self {
        let origin = origin_of(base_url);
        let known = Self::ALL.into_iter().find(|provider| {
            let theirs = origin_of(provider.base_url(Api::default()));
            theirs.is_some() && theirs == origin
        });
        known.unwrap_or(Self::Other)
    }
}

/// Returns the name of an API, as its provider writes it. The name is not translated.
pub fn api_name(api: Api) -> &'static str {
    match api {
        Api::ChatCompletions => "Chat Completions",
        Api::Responses => "Responses",
        Api::Messages => "Messages",
        Api::Gemini => "Gemini",
        Api::Ollama => "Ollama",
    }
}
