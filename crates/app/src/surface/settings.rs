//! The settings and models that a surface shows beside the message input.

use gloss_agent::{AnswerOrigin, Mode, ModelIdentity, RunConfig};
use gloss_durable::sorted::SortedSet;
use gloss_model::Micros;
use gloss_tools::{Group, ToolSetting};
use serde::{Deserialize, Serialize};

/// The user's choices for one conversation, shown beside the message input. A surface sends these
/// choices with each message. The next message has the same choices by default.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConversationSettings {
    /// The [`ModelOption::id`] of the chosen model.
    pub model: String,
    /// The position of the switch "Agent".
    pub mode: Mode,
    /// The maximum number of steps of a run, 1 to 10. `None` means that it depends on the question.
    pub max_steps: Option<u8>,
    /// The names of the tools that are off.
    #[serde(default, skip_serializing_if = "SortedSet::is_empty")]
    pub tools_off: SortedSet<String>,
}

impl ConversationSettings {
    pub(crate) fn of(config: &RunConfig) -> Self {
        Self {
            model: ModelIdentity::of(&config.model).profile,
            mode: config.mode,
            max_steps: config.settings.max_steps,
            tools_off: config.tools_off.clone(),
        }
    }
}

/// A model that the user can choose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelOption {
    /// A profile's id, or a fixed id for the browser's model. Empty for the on-device model.
    pub id: String,
    /// The user's name for the profile; empty for the on-device model.
    pub provider: String,
    /// The model's name at its server.
    pub model: String,
    /// The server's host; empty for the on-device model and the browser's model.
    pub host: String,
    /// The estimated price of an average answer; `None` if the price is unknown.
    #[serde(default)]
    pub cost: Option<Micros>,
}

/// All tools, and the user's settings of the tools.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Tools {
    /// All tools.
    pub all: Vec<ToolSetting>,
    /// The names of the tools that are off by default. A conversation can turn them on.
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
    /// Returns this model as the author of an answer.
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
