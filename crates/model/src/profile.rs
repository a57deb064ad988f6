//! Which model answers: the on-device one, the browser's own, or a server that the user
//! connected.

use super::{Facts, PROMPT_API, Price, Room};
use serde::{Deserialize, Serialize};

/// Who answers a run; part of its configuration, so that a setting changed
/// meanwhile bends nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// The extractive model, on the device.
    #[default]
    Embedded,
    /// A server.
    Profile(Profile),
    /// The browser's own model, on the device.
    BuiltIn,
}

impl Choice {
    /// What it costs, if that is known.
    pub fn price(&self) -> Option<Price> {
        match self {
            Self::Embedded | Self::BuiltIn => Some(Price::NOTHING),
            Self::Profile(profile) => Facts::of(profile).price,
        }
    }

    /// How much it can be given.
    pub fn room(&self) -> Room {
        Room::of(match self {
            Self::Embedded => None,
            Self::BuiltIn => Some(BUILT_IN_WINDOW),
            Self::Profile(profile) => Facts::of(profile).window,
        })
    }

    /// The model's name, as the figures have it; empty for the on-device model.
    pub fn model(&self) -> &str {
        match self {
            Self::Embedded => "",
            Self::BuiltIn => PROMPT_API,
            Self::Profile(profile) => &profile.model,
        }
    }
}

/// The tokens that the browser's model is counted on to take: sessions say how many they
/// do (`inputQuota`), which is known only once a run has one.
const BUILT_IN_WINDOW: u32 = 6_144;

/// Stands where the id of a profile does, for [`Choice::BuiltIn`]; no profile's id has a
/// colon.
pub const BUILT_IN: &str = "browser:built-in";

/// A model behind a server (SPEC §7), as the user set it up. Its key is kept apart, under [`Profile::id`], and is never in here.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// Unique among profiles; made when the profile is.
    pub id: String,
    /// What the user calls it, as in "Ollama".
    pub name: String,
    /// What the server speaks.
    #[serde(default)]
    pub api: Api,
    /// Where it is, without the endpoint: `https://api.openai.com/v1`.
    pub base_url: String,
    /// The model's name there.
    pub model: String,
    /// How tools are called.
    #[serde(default)]
    pub calling: Calling,
    /// Whether the system's message is a developer's; `None`: on `OpenAI`'s own host
    /// (DETAILS §7).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub developer_role: Option<bool>,
    /// What is known of its model: the person's own figures. In a run's configuration,
    /// those that hold for it, whatever a later Gloss's table says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts: Option<Facts>,
}

/// The interface that a server offers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Api {
    /// `OpenAI`'s Chat Completions, and whoever speaks them too.
    #[default]
    ChatCompletions,
    /// `OpenAI`'s Responses.
    Responses,
    /// Anthropic's Messages.
    Messages,
    /// Google's Gemini.
    Gemini,
    /// Ollama's own.
    Ollama,
}

/// How a server is told of tools, and tells of calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Calling {
    /// By the provider's own tool calls; by text once it says that it has none.
    #[default]
    Native,
    /// By the text protocol (SPEC §2).
    Text,
}
