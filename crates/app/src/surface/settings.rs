//! The settings and offers that a surface shows beside the message.

use gloss_agent::{AnswerOrigin, Mode, ModelIdentity, RunConfig};
use gloss_durable::sorted::SortedSet;
use gloss_model::Micros;
use gloss_tools::{Group, ToolSetting};
use serde::{Deserialize, Serialize};

/// The user's choices for one conversation, beside the message. A surface sends them with each
/// message, and the next message starts from the last ones.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConversationSettings {
    /// The [`ModelOption::id`] of the chosen model.
    pub model: String,
    /// The switch "Agent".
    pub mode: Mode,
    /// The most steps of a run, 1 to 10; `None` is automatic.
    pub max_steps: Option<u8>,
    /// The names of the tools that are off.
    #[serde(default, skip_serializing_if = "SortedSet::is_empty")]
    pub tools_off: SortedSet<String>,
}

impl ConversationSettings {
    /// The choices that a run was started with.
    pub(crate) fn of(config: &RunConfig) -> Self {
        Self {
            model: ModelIdentity::of(&config.model).profile,
            mode: config.mode,
            max_steps: config.settings.max_steps,
            tools_off: config.tools_off.clone(),
        }
    }
}

/// A model that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelOption {
    /// A profile's id; empty for the on-device model.
    pub id: String,
    /// The user's name for the profile; empty for the on-device model.
    pub provider: String,
    /// The model's name at its server.
    pub model: String,
    /// The server's host; empty for the on-device model.
    pub host: String,
    /// The price of an answer of usual size; `None` if it is unknown.
    #[serde(default)]
    pub cost: Option<Micros>,
}

/// All tools, and their settings in Options.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Tools {
    /// All tools.
    pub all: Vec<ToolSetting>,
    /// The names of the tools that are off unless a conversation says otherwise.
    pub off: SortedSet<String>,
    /// The groups that are off in every conversation.
    pub groups_off: SortedSet<Group>,
}

/// The user's settings for all conversations.
#[derive(Default)]
pub(crate) struct Defaults {
    pub(crate) tuning: ConversationSettings,
    pub(crate) offers: Vec<ModelOption>,
    pub(crate) tools: Tools,
    pub(crate) show_thinking: bool,
}

impl ModelOption {
    /// The speaker of an answer if this model is chosen.
    pub(crate) fn speaker(&self) -> ModelIdentity {
        ModelIdentity {
            profile: self.id.clone(),
            provider: self.provider.clone(),
            model: self.model.clone(),
            voice: if self.id.is_empty() {
                AnswerOrigin::Page
            } else {
                AnswerOrigin::Model
            },
        }
    }
}
