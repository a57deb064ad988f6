//! The choice of a model: the on-device one, the browser's own, or a connected server.

use super::{ContextWindow, Facts, PROMPT_API, Price};
use serde::{Deserialize, Serialize};

/// The model of a run. It is part of the run's configuration, so that a later change of settings
/// does not affect a running run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelChoice {
    /// The on-device model, which only quotes.
    #[default]
    Embedded,
    /// A connected server.
    Profile(Profile),
    /// The browser's own model, on the device.
    BuiltIn,
}

impl ModelChoice {
    /// The price, if known.
    pub fn price(&self) -> Option<Price> {
        match self {
            Self::Embedded | Self::BuiltIn => Some(Price::NOTHING),
            Self::Profile(profile) => Facts::of(profile).price,
        }
    }

    /// The token budget of a prompt.
    pub fn room(&self) -> ContextWindow {
        ContextWindow::of(match self {
            Self::Embedded => None,
            Self::BuiltIn => Some(BUILT_IN_WINDOW),
            Self::Profile(profile) => Facts::of(profile).window,
        })
    }

    /// The model's name for the usage statistics; empty for the on-device model.
    pub fn model(&self) -> &str {
        match self {
            Self::Embedded => "",
            Self::BuiltIn => PROMPT_API,
            Self::Profile(profile) => &profile.model,
        }
    }
}

/// The assumed context window of the browser's model, in tokens: the real one (`inputQuota`) is
/// known only after a session was created.
const BUILT_IN_WINDOW: u32 = 6_144;

/// The id of [`ModelChoice::BuiltIn`], used in place of a profile's id; no profile's id has a colon.
pub const BUILT_IN: &str = "browser:built-in";

/// A connected server and its model (SPEC §7), as the user set it up. It never contains the API
/// key, which is stored separately under [`Profile::id`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// An id, unique among profiles, created with the profile.
    pub id: String,
    /// The user's name for it, as in "Ollama".
    pub name: String,
    /// The API of the server.
    #[serde(default)]
    pub api: Api,
    /// The server's address without the endpoint: `https://api.openai.com/v1`.
    pub base_url: String,
    /// The model's name on the server.
    pub model: String,
    /// The way tools are called.
    #[serde(default)]
    pub calling: Calling,
    /// True if the system message has the role `developer`; `None`: only on `OpenAI`'s own host
    /// (DETAILS §7).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub developer_role: Option<bool>,
    /// The user's own figures for the model. In a run's configuration: the figures in force when it
    /// began, so that a newer table does not change them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts: Option<Facts>,
}

/// The API that a server offers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Api {
    /// `OpenAI`'s Chat Completions, and compatible servers.
    #[default]
    ChatCompletions,
    /// `OpenAI`'s Responses API.
    Responses,
    /// Anthropic's Messages API.
    Messages,
    /// Google's Gemini API.
    Gemini,
    /// Ollama's own API.
    Ollama,
}

/// The way a server receives tool definitions and returns tool calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Calling {
    /// By the provider's tool calls; as text if the server says that it has none.
    #[default]
    Native,
    /// As text, by the text protocol (SPEC §2).
    Text,
}
