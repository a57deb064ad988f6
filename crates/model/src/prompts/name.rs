//! The names of the templates.

use gloss_text::Language;
use serde::{Deserialize, Serialize};

/// The templates that the user can override (SPEC §10).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Name {
    /// The system message with Gloss's role and rules, first in every conversation.
    ReactSystem,
    /// Asks for the thought before a step's tool calls.
    Reason,
    /// Asks for an interpretation of tool results.
    Observe,
    /// Asks for the final answer.
    Synthesis,
    /// Asks for the reason why an action failed.
    Reflection,
    /// Asks for the relevance of search results to the question.
    ResultGrading,
    /// Asks for a better search query.
    QueryRewrite,
    /// Asks for a summary of the earlier steps of a long run.
    Compaction,
    /// Asks for a question to the user, because the request is unclear.
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
    /// All templates, in the order in which Options shows them.
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

    /// Returns the template's id in its file name and in stored settings.
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

    /// Returns true if this version of Gloss uses the template. The other templates are for later
    /// versions.
    pub fn is_asked(self) -> bool {
        self != Self::Clarification
    }

    /// Returns the text of the default template, before it is parsed.
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
