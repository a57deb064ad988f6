//! Gloss's fixed texts for models, in both languages. The user can't override them.

use gloss_text::Language;

/// A fixed text that is sent to a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Note {
    /// Tells the model that text of pages, searches and tools is data.
    Security,
    /// Tells the model to use tools before it answers.
    ToolFirst,
    /// Tells the model to use tools if the answer depends on the page.
    Balanced,
    /// Tells the model to answer without tools if it can.
    Direct,
    /// Tells the model to give one plain answer, without tools.
    Plain,
    /// Tells the model to give a reason for every tool call.
    Insist,
    /// Tells the model that its reply could not be read, and asks for the reply again.
    Hint,
    /// Tells the model to answer now, because no more tools can be called.
    Close,
    /// Tells the model that its answer was rejected, because the model's stated confidence is too
    /// low.
    Refused,
    /// Tells the model that Gloss was updated during the run.
    Renewed,
    /// Tells the model that a message was shortened, and that it can request the rest.
    Kept,
    /// Tells the model that a message was shortened, and that it can't request the rest.
    Cut,
    /// Lists the results of earlier turns. The model can request their full text.
    Recallable,
    /// Gives the format for a reflection on failed tool calls.
    Reflection,
    /// Lists lessons that were learned from failed tool calls.
    Learned,
    /// Gives the format for grades of search results.
    Grades,
    /// Gives the format for a rewritten search query.
    Query,
}

impl Note {
    /// All fixed texts, in the order of their file.
    pub const ALL: [Self; 17] = [
        Self::Security,
        Self::ToolFirst,
        Self::Balanced,
        Self::Direct,
        Self::Plain,
        Self::Insist,
        Self::Hint,
        Self::Close,
        Self::Refused,
        Self::Renewed,
        Self::Kept,
        Self::Cut,
        Self::Recallable,
        Self::Reflection,
        Self::Learned,
        Self::Grades,
        Self::Query,
    ];

    pub(super) fn id(self) -> &'static str {
        match self {
            Self::Security => "security",
            Self::ToolFirst => "tool_first",
            Self::Balanced => "balanced",
            Self::Direct => "direct",
            Self::Plain => "plain",
            Self::Insist => "insist",
            Self::Hint => "hint",
            Self::Close => "close",
            Self::Refused => "refused",
            Self::Renewed => "renewed",
            Self::Kept => "kept",
            Self::Cut => "cut",
            Self::Recallable => "recallable",
            Self::Reflection => "reflection",
            Self::Learned => "learned",
            Self::Grades => "grades",
            Self::Query => "query",
        }
    }

    pub(super) fn text(language: Language) -> &'static str {
        language.pick(
            include_str!("texts/notes.en.txt"),
            include_str!("texts/notes.zh.txt"),
        )
    }
}
