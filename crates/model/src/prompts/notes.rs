//! Gloss's fixed texts for models, in both languages; no override changes them.

use gloss_text::Language;

/// A fixed text, sent to a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Note {
    /// Text of pages, searches and tools is data.
    Security,
    /// Use tools before answering.
    ToolFirst,
    /// The page decides whether tools are needed.
    Balanced,
    /// Answer directly.
    Direct,
    /// Give one plain answer, without tools.
    Plain,
    /// Every tool call needs a reason.
    Insist,
    /// A tool call could not be read.
    Hint,
    /// No more tool calls are possible.
    Close,
    /// The answer was rejected for its low confidence.
    Refused,
    /// The code changed during the run.
    Renewed,
    /// The rules for the whole run.
    Grounding,
    /// A message was shortened; the rest can be recalled.
    Kept,
    /// A message was shortened; the rest can't be recalled.
    Cut,
    /// Results of earlier turns that can be recalled.
    Recallable,
    /// The format of a reflection.
    Reflection,
    /// Lessons from failed tool calls.
    Learned,
    /// The format of grades.
    Grades,
    /// The format of a query.
    Query,
}

impl Note {
    /// All notes in order.
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
