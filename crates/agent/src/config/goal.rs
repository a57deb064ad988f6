//! A run's goal and settings. They are stored in the first record of the run's journal.

use crate::config::{ForkOrigin, Lesson};
use gloss_context::EarlierResults;
use gloss_durable::RunId;
use gloss_durable::sorted::SortedSet;
use gloss_host::TabId;
use gloss_model::prompts::Overrides;
use gloss_model::provenance::{Origin, Provenance};
use gloss_model::{Language, Message, ModelChoice, ModelRoles, Part, Role, Source};
use gloss_web::search;
use serde::{Deserialize, Serialize};

/// A run's configuration. If the user changes a setting during the run, the configuration stays the
/// same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunConfig {
    /// The goal of the run.
    pub goal: Goal,
    /// The conversation that the run belongs to. A conversation's id is the id of its first run.
    pub conversation: RunId,
    /// The tab from which the run was started.
    pub tab: TabId,
    /// The user's settings for this run, such as its limits.
    pub settings: Settings,
    /// The language of the interface. The answer is in this language if the question's language is
    /// unknown.
    pub language: String,
    /// The model that answers.
    #[serde(default)]
    pub model: ModelChoice,
    /// The fallback models, in the order in which they are tried.
    #[serde(default)]
    pub then: Vec<ModelChoice>,
    /// The models for other roles than answering.
    #[serde(default)]
    pub model_roles: ModelRoles,
    /// The mode: with or without planning and tools.
    #[serde(default)]
    pub mode: Mode,
    /// The names of the tools that are switched off in this conversation.
    #[serde(default)]
    pub tools_off: SortedSet<String>,
    /// The names of the tools whose group was switched off when the run started. Unlike
    /// `tools_off`, these names apply to this run only: after the user switches the group on
    /// again, the next run has the tools.
    #[serde(default)]
    pub barred: SortedSet<String>,
    /// The user's own prompts for the language of the interface. They replace Gloss's prompts.
    #[serde(default)]
    pub prompts: Overrides,
    /// The settings of the web search, without API keys.
    #[serde(default)]
    pub search: search::Settings,
    /// `Facts` if the run may look up facts about the user.
    #[serde(default)]
    pub known: KnownFacts,
    /// The earlier turns of this conversation, oldest first.
    #[serde(default)]
    pub history: Vec<Exchange>,
    /// The results and messages of earlier turns that the model can recall.
    #[serde(default)]
    pub earlier: EarlierResults,
    /// The lessons of earlier runs that relate to this run's goal.
    #[serde(default)]
    pub lessons: Vec<Lesson>,
    /// True if the lessons of this run may be stored for later runs.
    #[serde(default)]
    pub learns: bool,
    /// The turn that this run replaces, because the user regenerated or edited that turn.
    pub replaces: Option<RunId>,
    /// The origin of the fork; `None` if the run is not a fork.
    pub forked: Option<ForkOrigin>,
}

/// An earlier turn of the conversation, as a model reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exchange {
    /// The goal of that turn.
    pub goal: Goal,
    /// The answer as Markdown. If the answer was cut short, the part that was finished.
    pub answer: String,
    /// The origins of everything that this turn had read.
    #[serde(default)]
    pub provenance: Provenance,
}

impl RunConfig {
    /// Returns the origins of everything that a run of this configuration reads before its page:
    /// the goal, the earlier turns and the lessons.
    pub fn provenance(&self) -> Provenance {
        let mut provenance = self.goal.provenance();
        for turn in &self.history {
            provenance.add(&turn.goal.provenance());
            provenance.add(&turn.provenance);
        }
        for lesson in &self.lessons {
            provenance.add(&lesson.provenance());
        }
        // The arguments of recallable calls may contain text of pages.
        for result in &self.earlier.kept {
            provenance = provenance.and(Origin::Tool(result.tool.clone()));
        }
        provenance
    }
}

/// The permission of a run to look up facts about the user.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KnownFacts {
    /// There are no facts, or they may not be looked up.
    #[default]
    Nothing,
    /// There are facts to look up.
    Facts,
}

/// The setting "Agent" (DETAILS §1): whether a run works in steps with tools, or makes one plain
/// model call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Reasons, acts and observes in a loop.
    #[default]
    Agent,
    /// Makes one plain call with history and page, without tools or planning.
    Plain,
}

/// The user's wish for a run. A run of [`Mode::Agent`] uses the same loop for all goals.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// Summarise the page: its gist and key points.
    #[default]
    Summarize,
    /// Explain the selected words in the context of the page.
    Explain {
        /// The selected words.
        selection: String,
    },
    /// Answer a message.
    Ask {
        /// The message's text.
        question: String,
    },
    /// Continue the previous answer, which was cut off.
    GoOn,
}

impl Goal {
    /// Returns the goal as a message to the model.
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

    /// Returns the same goal with its text replaced. A goal without a text stays unchanged.
    pub(crate) fn with_words(&self, words: String) -> Self {
        match self {
            Self::Explain { .. } => Self::Explain { selection: words },
            Self::Ask { .. } => Self::Ask { question: words },
            Self::Summarize | Self::GoOn => self.clone(),
        }
    }

    /// Returns the text that the goal is about: the selected words, or else the request.
    pub fn words(&self) -> &str {
        match self {
            Self::Explain { selection } => selection,
            Self::Summarize | Self::Ask { .. } | Self::GoOn => self.request(Language::English),
        }
    }

    /// Returns the request without text from the page. If the user started the run with a button
    /// such as *Summarize*, the request is a fixed text in `language`, so that the model answers in
    /// that language.
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

    /// Returns the text that the user wrote; `None` for the fixed text of a button.
    pub(crate) fn own_words(&self) -> Option<&str> {
        match self {
            Self::Ask { question } => Some(question),
            Self::Summarize | Self::Explain { .. } | Self::GoOn => None,
        }
    }

    /// Returns the origins of the goal's text. A selected passage is a page's text.
    pub(crate) fn provenance(&self) -> Provenance {
        match self {
            Self::Explain { .. } => Provenance::of(Origin::User).and(Origin::Page(String::new())),
            Self::Ask { .. } | Self::Summarize | Self::GoOn => Provenance::of(Origin::User),
        }
    }
}

/// The settings of a run that the user can change. The defaults come from DETAILS §2.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The cycle: the way in which a step is divided into model calls.
    pub cycle: Cycle,
    /// The style, which sets the minimum confidence for an answer without tools.
    pub style: Style,
    /// The maximum number of steps, 1 to 10. `None` lets the complexity of the request decide.
    pub max_steps: Option<u8>,
    /// The maximum number of tokens of a run.
    pub max_tokens: u32,
    /// The maximum active time of a run, in milliseconds.
    pub max_active_ms: u64,
    /// The maximum number of tool calls of a run.
    pub max_tool_calls: u32,
    /// The maximum cost of a run, in US cents.
    pub max_cost_cents: u32,
    /// The maximum cost of all runs of a month together, in US dollars; `None` means unlimited.
    pub max_month_dollars: Option<u32>,
    /// The share of a limit at which the user is warned, in percent.
    pub warn_percent: u8,
    /// The run's reaction to a failed tool call.
    pub on_tool_failure: OnToolFailure,
}

/// The reaction of a run to a failed tool call (SPEC §4).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnToolFailure {
    /// The run continues, and the model reads the error as an observation.
    #[default]
    Continue,
    /// The run ends.
    Fail,
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

/// The division of a step into model calls (DETAILS §2). Both cycles record the same kinds of
/// entries in the trajectory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cycle {
    /// The model observes a step's results and thinks about the next step in the same reply. Only the
    /// first thought needs a call of its own, so n steps cost n + 1 model calls.
    Fused,
    /// Reason, act and observe are separate calls.
    Strict,
}

/// The minimum confidence for an answer without tools (SPEC §2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    /// At least 0.95: the model nearly always uses a tool first.
    ToolFirst,
    /// At least 0.8; the default.
    Balanced,
    /// At least 0.6: the model mostly answers directly.
    Direct,
}
