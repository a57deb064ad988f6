//! What a person can tell a run that is at work.

use crate::config::{Goal, Mode, RunConfig, Settings};
use gloss_durable::Message;
use gloss_durable::sorted::SortedSet;
use gloss_host::TabId;
use gloss_model::Choice;
use serde::{Deserialize, Serialize};

/// A message sent into the conversation meanwhile: read at the next Reason, or a
/// turn of its own if none comes (DETAILS §1). It carries all that such a turn is
/// begun from, less what the conversation then gives.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FollowUp {
    /// What is asked for.
    pub goal: Goal,
    /// The tab it was asked from.
    pub tab: TabId,
    /// The language of the interface.
    pub language: String,
    /// Who is to answer.
    pub model: Choice,
    /// Whether tools are used.
    pub mode: Mode,
    /// Bounds, style, cycle.
    pub settings: Settings,
    /// The tools that are off, by name.
    #[serde(default, skip_serializing_if = "SortedSet::is_empty")]
    pub tools_off: SortedSet<String>,
    /// Those whose group is off, by name.
    #[serde(default, skip_serializing_if = "SortedSet::is_empty")]
    pub barred: SortedSet<String>,
}

impl FollowUp {
    /// Whether a run of this configuration may read it: one that speaks to another
    /// server, about another tab or with other tools, may not.
    pub(crate) fn fits(&self, brief: &RunConfig) -> bool {
        self.tab == brief.tab
            && self.model == brief.model
            && self.mode == brief.mode
            && self.tools_off == brief.tools_off
            && self.barred == brief.barred
    }
}

impl Message for FollowUp {
    const NAME: &'static str = "follow_up";
}
