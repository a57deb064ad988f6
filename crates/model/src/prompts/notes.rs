//! Gloss's fixed texts for models, in both languages. The user can't override them.

use gloss_text::Language;

/// A fixed text that is sent to a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Note {
    /// Text of pages, searches and tools is data.
    Security,
    /// The model should use tools before it answers.
    ToolFirst,
    /// The model should use tools if the answer depends on the page.
    Balanced,
    /// The model should answer directly where it can.
    Direct,
    /// The model should give one plain answer, without tools.
    Plain,
    /// Every tool call needs a reason.
    Insist,
    /// The model's reply could not be read; it has to write the reply again.
    Hint,
    /// No more tools can be called, so the model has to answer now.
    Close,
    /// The answer was rejected, because its confidence is too low.
    Refused,
    /// Gloss was updated during the run.
    Renewed,
    /// The state of the run, as data.
    Grounding,
    /// A message was shortened; the model can request the rest.
    Kept,
    /// A message was shortened; the model can't request the rest.
    Cut,
    /// A list of earlier turns' results, whose full text the model can request.
    Recallable,
    /// The format of a reflection.
    Reflection,
    /// Lessons from failed tool calls.
    Learned,
    /// The format of grades for search results.
    Grades,
    /// The format of a rewritten search query.
    Query,
}

impl Note {
    /// All fixed texts, in the order of their file.
    pub const ALL: [Self; 18] = [
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
        Self::Grounding,
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
            Self::Grounding => "grounding",
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
