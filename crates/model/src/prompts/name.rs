//! The names of the templates.

use gloss_text::Language;
use serde::{Deserialize, Serialize};

/// A template (SPEC §10).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Name {
    /// The system message: Gloss's role and rules, first in every conversation.
    ReactSystem,
    /// The thought before a step's tool calls.
    Reason,
    /// The interpretation of tool results.
    Observe,
    /// The final answer.
    Synthesis,
    /// The reason why an action failed.
    Reflection,
    /// The relevance of search results to the question.
    ResultGrading,
    /// A better search query.
    QueryRewrite,
    /// A summary of a long run.
    Compaction,
    /// A question back to the user.
    Clarification,
}

macro_rules! texts {
    ($self:ident, $language:ident, $($name:ident $id:literal),+ $(,)?) => {
        match $self {
            $(Self::$name => $language.pick(
                include_str!(concat!("texts/", $id, ".en.txt")),
                include_str!(concat!("texts/", $id, ".zh.txt")),
            ),)+
        }
    };
}

impl Name {
    /// All templates in the order of Options.
    pub const ALL: [Self; 9] = [
        Self::ReactSystem,
        Self::Reason,
        Self::Observe,
        Self::Synthesis,
        Self::Reflection,
        Self::ResultGrading,
        Self::QueryRewrite,
        Self::Compaction,
        Self::Clarification,
    ];

    /// The id in its file name and in stored settings.
    pub fn id(self) -> &'static str {
        match self {
            Self::ReactSystem => "react_system",
            Self::Reason => "reason",
            Self::Observe => "observe",
            Self::Synthesis => "synthesis",
            Self::Reflection => "reflection",
            Self::ResultGrading => "result_grading",
            Self::QueryRewrite => "query_rewrite",
            Self::Compaction => "compaction",
            Self::Clarification => "clarification",
        }
    }

    /// Returns true if this version uses the template; the others are for later versions.
    pub fn is_asked(self) -> bool {
        self != Self::Clarification
    }

    /// The default's text, as written.
    pub fn text(self, language: Language) -> &'static str {
        texts!(self, language,
            ReactSystem "react_system",
            Reason "reason",
            Observe "observe",
            Synthesis "synthesis",
            Reflection "reflection",
            ResultGrading "result_grading",
            QueryRewrite "query_rewrite",
            Compaction "compaction",
            Clarification "clarification",
        )
    }
}
