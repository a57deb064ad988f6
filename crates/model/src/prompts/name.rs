//! The templates there are.

use gloss_text::Language;
use serde::{Deserialize, Serialize};

/// A template (SPEC §10).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Name {
    /// Who speaks and how, at the beginning of every conversation.
    ReactSystem,
    /// Why the agent acts.
    Reason,
    /// What the results of tools mean.
    Observe,
    /// The answer.
    Synthesis,
    /// Why an action failed.
    Reflection,
    /// Which results of a search bear on the question.
    ResultGrading,
    /// A better query.
    QueryRewrite,
    /// A long run in short.
    Compaction,
    /// What has to be asked first.
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
    /// In the order of Options.
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

    /// As it stands in its text, and in what is stored.
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

    /// Whether anything is asked with it in this version: the others are for what is to come.
    pub fn is_asked(self) -> bool {
        self != Self::Clarification
    }

    /// The default, as it is written.
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
