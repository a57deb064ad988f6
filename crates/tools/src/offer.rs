//! A tool as a person is shown it: a switch with its name and what it does.

use super::{Needs, Tool, ToolDyn};
use gloss_durable::sorted::SortedSet;
use gloss_model::phrase::Phrase;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};

/// Tools that one switch turns off together (DETAILS, Options).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// What asks the web.
    WebSearch,
    /// What remembers.
    Memory,
    /// What makes images.
    Images,
}

impl Display for Group {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::WebSearch => "web search",
            Self::Memory => "memory",
            Self::Images => "image generation",
        })
    }
}

/// A tool that there is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolOffer {
    /// By which models call it.
    pub name: String,
    /// What a person calls it.
    pub title: Phrase,
    /// What it does, in one line.
    pub means: Phrase,
    /// The switch that it is turned off by, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<Group>,
    /// Whether it can do nothing without a page.
    #[serde(default)]
    pub needs_page: bool,
}

impl ToolOffer {
    /// What a file says of its tool.
    pub(super) fn of<T: Tool>() -> Self {
        Self {
            name: T::NAME.to_owned(),
            title: marked(T::TITLE),
            means: marked(T::MEANS),
            group: T::GROUP,
            needs_page: T::NEEDS == Some(Needs::Page),
        }
    }
}

/// The message of a key that is marked `msg:`.
fn marked(key: &str) -> Phrase {
    let (_, key) = key.split_once(':').unwrap_or_default();
    Phrase {
        key: key.to_owned(),
        args: Vec::new(),
    }
}

/// The names of those whose group is among these.
pub fn barred(tools: &[ToolOffer], groups: &SortedSet<Group>) -> SortedSet<String> {
    let barred = |tool: &&ToolOffer| tool.group.is_some_and(|group| groups.contains(&group));
    let barred = tools.iter().filter(barred);
    barred.map(|tool| tool.name.clone()).collect()
}

/// As many of `tools` as a person is shown.
pub fn offers(tools: &[std::rc::Rc<dyn ToolDyn>]) -> Vec<ToolOffer> {
    tools.iter().filter_map(|tool| tool.offer()).collect()
}
