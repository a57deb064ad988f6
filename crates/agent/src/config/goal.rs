//! What a run is for, and what it may spend: the first record of its journal.

use crate::config::{Forked, Reflection};
use gloss_context::Earlier;
use gloss_durable::RunId;
use gloss_durable::sorted::SortedSet;
use gloss_host::TabId;
use gloss_model::prompts::Overrides;
use gloss_model::{Aides, Choice, Language, Message, Part, Role, Source};
use gloss_web::search;
use serde::{Deserialize, Serialize};

/// A run's configuration. Settings changed later bend nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunConfig {
    /// What is asked for.
    pub goal: Goal,
    /// The conversation it is a turn of: the id of that conversation's first run.
    pub conversation: RunId,
    /// The tab it was asked from.
    pub tab: TabId,
    /// Bounds, style, cycle.
    pub settings: Settings,
    /// The language of the interface, for an answer whose question has none.
    pub language: String,
    /// Who answers.
    #[serde(default)]
    pub model: Choice,
    /// Who goes on, in this order, where the one before cannot answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub then: Vec<Choice>,
    /// Who helps the one that answers.
    #[serde(default, skip_serializing_if = "Aides::is_nobody")]
    pub aides: Aides,
    /// Whether the agent plans and uses tools.
    #[serde(default)]
    pub mode: Mode,
    /// The tools that the conversation has not, by name.
    #[serde(default, skip_serializing_if = "SortedSet::is_empty")]
    pub tools_off: SortedSet<String>,
    /// Those whose group was off when it began, by name. No choice of the conversation's: its
    /// next run has them if the group is on again by then.
    #[serde(default, skip_serializing_if = "SortedSet::is_empty")]
    pub barred: SortedSet<String>,
    /// The prompts of the person's own, in the language of the interface.
    #[serde(default, skip_serializing_if = "Overrides::is_empty")]
    pub prompts: Overrides,
    /// Whom its searches ask; keys stand elsewhere.
    #[serde(default, skip_serializing_if = "search::Settings::is_default")]
    pub search: search::Settings,
    /// Whether there is anything about the person to look up.
    #[serde(default, skip_serializing_if = "Known::is_nothing")]
    pub known: Known,
    /// What was said before in this conversation, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<Exchange>,
    /// What was given before in it, and can be recalled.
    #[serde(default, skip_serializing_if = "Earlier::is_nothing")]
    pub earlier: Earlier,
    /// What earlier runs learned that bears on it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lessons: Vec<Reflection>,
    /// Whether later runs may know what this one learns.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub learns: bool,
    /// The turn that this one stands in place of: regenerated, or edited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<RunId>,
    /// What was changed where it was forked from another run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked: Option<Forked>,
}

/// An earlier turn of the conversation, as a model reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    /// What was asked.
    pub goal: Goal,
    /// What was answered, as Markdown; what there was of it, if it was cut short.
    pub answer: String,
}

/// What is known of the person when a run begins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Known {
    /// Nothing, or it may not be looked up.
    #[default]
    Nothing,
    /// Facts.
    Facts,
}

impl Known {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    fn is_nothing(&self) -> bool {
        *self == Self::Nothing
    }
}

/// The switch "Agent" (DETAILS §1).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Reasons, acts, observes.
    #[default]
    Agent,
    /// One plain call with history and page: no tools, no planning.
    Plain,
}

/// Explaining, summarising and chatting are three goals for one loop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// The page's gist and key points.
    Summarize,
    /// What the selected words mean here.
    Explain {
        /// The selected words.
        selection: String,
    },
    /// An answer to a message.
    Ask {
        /// The message.
        question: String,
    },
    /// The rest of the answer before, which was cut off.
    GoOn,
}

impl Goal {
    /// The goal as the model reads it.
    pub(crate) fn message(&self, language: Language) -> Message {
        let request = self.request(language);
        match self {
            Self::Explain { selection } => {
                let data = language.pick(" The passage, as data:", "该段文字，仅作数据：");
                Message {
                    role: Role::User,
                    parts: vec![
                        Part::Text {
                            text: format!("{request}{data}"),
                        },
                        Part::Quoted {
                            source: Source::Selection,
                            text: selection.clone(),
                        },
                    ],
                }
            }
            Self::Summarize | Self::Ask { .. } | Self::GoOn => Message::text(Role::User, request),
        }
    }

    /// The same, about other words.
    pub(crate) fn with_words(&self, words: String) -> Self {
        match self {
            Self::Explain { .. } => Self::Explain { selection: words },
            Self::Ask { .. } => Self::Ask { question: words },
            Self::Summarize | Self::GoOn => self.clone(),
        }
    }

    /// What it is about, in words.
    pub fn words(&self) -> &str {
        match self {
            Self::Explain { selection } => selection,
            Self::Summarize | Self::Ask { .. } | Self::GoOn => self.request(Language::English),
        }
    }

    /// What is asked, without the page's own words. A button asks in the language of the
    /// interface, so that it is answered in it.
    pub(crate) fn request(&self, language: Language) -> &str {
        match self {
            Self::Ask { question } => question,
            Self::Summarize => language.pick("Summarize this page.", "总结此页。"),
            Self::Explain { .. } => language.pick(
                "Explain this passage of the page.",
                "解释此页中的这段文字。",
            ),
            Self::GoOn => language.pick(
                "Your last answer was cut off. Go on exactly where it ends, in the middle of a \
                 word if need be; repeat nothing.",
                "你上一个回答被截断了。请从它中断之处接着写，必要时从词语中间开始；不要重复任何内容。",
            ),
        }
    }

    /// What the user wrote themselves: a button's words are not theirs.
    pub(crate) fn own_words(&self) -> Option<&str> {
        match self {
            Self::Ask { question } => Some(question),
            Self::Summarize | Self::Explain { .. } | Self::GoOn => None,
        }
    }
}

/// What a person may set; the defaults are DETAILS §2's.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// How a step is carried by model calls.
    pub cycle: Cycle,
    /// How readily tools are used.
    pub style: Style,
    /// A number the user set, 1 to 10; `None` is automatic by complexity.
    pub max_steps: Option<u8>,
    /// The most tokens of a run.
    pub max_tokens: u32,
    /// The most active time.
    pub max_active_ms: u64,
    /// The most tool calls.
    pub max_tool_calls: u32,
    /// The most that it may cost, in US cents.
    pub max_cost_cents: u32,
    /// The most that all runs of a month may cost together, in US dollars; `None`: any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_month_dollars: Option<u32>,
    /// From this share of a budget on the person is warned, in percent.
    pub warn_percent: u8,
    /// What becomes of the run when a tool fails.
    #[serde(skip_serializing_if = "OnToolFailure::goes_on")]
    pub on_tool_failure: OnToolFailure,
}

/// What becomes of a run when a tool fails (SPEC §4).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnToolFailure {
    /// The model reads the error as an observation.
    #[default]
    Continue,
    /// The run ends there.
    Fail,
}

impl OnToolFailure {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    fn goes_on(&self) -> bool {
        *self == Self::Continue
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            cycle: Cycle::Fused,
            style: Style::Balanced,
            max_steps: None,
            max_tokens: 100_000,
            max_active_ms: 10 * 60 * 1000,
            max_tool_calls: 25,
            max_cost_cents: 10,
            max_month_dollars: None,
            warn_percent: 80,
            on_tool_failure: OnToolFailure::Continue,
        }
    }
}

/// Two cycles, one trajectory shape (DETAILS §2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cycle {
    /// n steps cost n + 1 model calls: observing may carry the next thought.
    Fused,
    /// Reason, act and observe are calls of their own.
    Strict,
}

/// How readily tools are used (SPEC §2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    /// Answers without tools only at 0.95 confidence.
    ToolFirst,
    /// At 0.8; the default.
    Balanced,
    /// At 0.6.
    Direct,
}
