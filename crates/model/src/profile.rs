//! The model that the user chose: the on-device model, the browser's own, or a model on a server.

use super::{ContextWindow, Facts, PROMPT_API, Price};
use serde::{Deserialize, Serialize};

/// The model of a run. The choice is stored in the run's configuration, so that a later change of
/// settings does not affect a running run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelChoice {
    /// The on-device model, which only quotes the page.
    #[default]
    Embedded,
    /// A connected server and the name of its model.
    Profile(Profile),
    /// The browser's own model, which runs on the device.
    BuiltIn,
}

impl ModelChoice {
    /// Returns the price of the model; `None` if unknown.
    pub fn price(&self) -> Option<Price> {
        match self {
            Self::Embedded | Self::BuiltIn => Some(Price::NOTHING),
            Self::Profile(profile) => Facts::of(profile).price,
        }
    }

    /// Returns the context window of the model. An unknown window is assumed to be the budget of a
    /// moderate task.
    pub fn room(&self) -> ContextWindow {
        ContextWindow::of(match self {
            Self::Embedded => None,
            Self::BuiltIn => Some(BUILT_IN_WINDOW),
            Self::Profile(profile) => Facts::of(profile).window,
        })
    }

    /// Returns the model's name in the usage statistics; empty for the on-device model.
    pub fn model(&self) -> &str {
        match self {
            Self::Embedded => "",
            Self::BuiltIn => PROMPT_API,
            Self::Profile(profile) => &profile.model,
        }
    }
}

/// The assumed context window of the browser's model, in tokens. The browser reports the real size
/// (`inputQuota`) only after a session was created.
const BUILT_IN_WINDOW: u32 = 6_144;

/// The id that represents [`ModelChoice::BuiltIn`] in settings that expect the id of a profile. A
/// profile's own id never contains a colon.
pub const BUILT_IN: &str = "browser:built-in";

/// A connected server and its model (SPEC §7), as the user configured them. The API key is not part
/// of the profile. The key is stored separately under [`Profile::id`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// The profile's id, unique among profiles and fixed when the profile is created.
    pub id: String,
    /// The user's name for the server, as in "Ollama".
    pub name: String,
    /// The API that the server offers.
    #[serde(default)]
    pub api: Api,
    /// The server's address without the path of an endpoint, as in `https://api.openai.com/v1`.
    pub base_url: String,
    /// The model's name on the server.
    pub model: String,
    /// The format of the model's tool calls.
    #[serde(default)]
    pub calling: Calling,
    /// True if the system message has the role `developer`. With `None`, it has this role only for
    /// `OpenAI`'s own host (DETAILS §7).
    pub developer_role: Option<bool>,
    /// The price, context window and capabilities of the model. In the settings, these values were
    /// entered by the user. In a run's configuration, they are the values at the start of the run,
    /// so that an update of Gloss's price table does not change them.
    pub facts: Option<Facts>,
}

/// The wire format of a server's requests and responses.
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

/// The format in which a server receives tool definitions and returns tool calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Calling {
    /// The provider's own format. If the server reports that it supports no tool calls, calls are
    /// written as text.
    #[default]
    Native,
    /// Calls are written as text, in the format of `protocol` (SPEC §2).
    Text,
}
