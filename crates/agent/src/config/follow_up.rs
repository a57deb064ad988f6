//! Messages that the user sends during a run.

use crate::config::{Goal, Mode, RunConfig, Settings};
use gloss_durable::Message;
use gloss_durable::sorted::SortedSet;
use gloss_host::TabId;
use gloss_model::ModelChoice;
use serde::{Deserialize, Serialize};

/// A message that the user sends during a run. The model reads the message at the run's next step.
/// If no step follows, the message starts a separate turn (DETAILS §1). Therefore the message also
/// contains the settings for a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FollowUp {
    /// The goal of the message.
    pub goal: Goal,
    /// The tab from which the message was sent.
    pub tab: TabId,
    /// The language of the interface.
    pub language: String,
    /// The model chosen to answer.
    pub model: ModelChoice,
    /// The mode: with or without tools.
    pub mode: Mode,
    /// Limits, style and cycle.
    pub settings: Settings,
    /// The names of the tools that are switched off.
    #[serde(default)]
    pub tools_off: SortedSet<String>,
    /// The names of the tools whose group is switched off.
    #[serde(default)]
    pub barred: SortedSet<String>,
}

impl FollowUp {
    /// Returns true if a run with this configuration may read the message. A message for another
    /// model, tab, mode or set of tools needs a separate run.
    pub(crate) fn fits(&self, config: &RunConfig) -> bool {
        self.tab == config.tab
            && self.model == config.model
            && self.mode == config.mode
            && self.tools_off == config.tools_off
            && self.barred == config.barred
    }
}

impl Message for FollowUp {
    const NAME: &'static str = "follow_up";
}
