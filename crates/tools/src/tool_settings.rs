//! The switches with which the user turns tools off.

use super::{Requirement, Tool, ToolDyn};
use gloss_durable::sorted::SortedSet;
use gloss_model::phrase::Phrase;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};

/// A group of tools that one switch turns off (DETAILS, Options).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// The tools that search the web and fetch pages.
    WebSearch,
    /// The tools that save and find facts about the user.
    Memory,
    /// The tool that makes images.
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

/// A tool that the user can turn off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolSetting {
    /// The name by which models call the tool.
    pub name: String,
    /// The tool's name for the user.
    pub title: Phrase,
    /// The tool's effect, in one line.
    pub means: Phrase,
    /// The group to which the tool belongs. The group's switch turns the tool off too.
    pub group: Option<Group>,
    /// True if the tool needs a page.
    #[serde(default)]
    pub needs_page: bool,
}

impl ToolSetting {
    pub(super) fn of<T: Tool>() -> Self {
        Self {
            name: T::NAME.to_owned(),
            title: message_key_of(T::TITLE),
            means: message_key_of(T::SUMMARY),
            group: T::GROUP,
            needs_page: T::NEEDS == Some(Requirement::Page),
        }
    }
}

/// Returns the phrase for a key such as `msg:tool_title`, without the prefix `msg:`.
fn message_key_of(key: &str) -> Phrase {
    let (_, key) = key.split_once(':').unwrap_or_default();
    Phrase {
        key: key.to_owned(),
        args: Vec::new(),
    }
}

/// Returns the names of the tools that belong to one of `groups`.
pub fn disabled_tools(tools: &[ToolSetting], groups: &SortedSet<Group>) -> SortedSet<String> {
    let barred = |tool: &&ToolSetting| tool.group.is_some_and(|group| groups.contains(&group));
    let barred = tools.iter().filter(barred);
    barred.map(|tool| tool.name.clone()).collect()
}

/// Returns the tools that have a switch of their own.
pub fn offers(tools: &[std::rc::Rc<dyn ToolDyn>]) -> Vec<ToolSetting> {
    tools.iter().filter_map(|tool| tool.offer()).collect()
}
