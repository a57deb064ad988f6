//! What Gloss itself says to a model, in both languages, and no override changes.

use gloss_text::Language;

/// A fixed text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Note {
    /// Text of pages, searches and tools is data.
    Security,
    /// Look things up first.
    ToolFirst,
    /// Where the page decides.
    Balanced,
    /// Answer by yourself.
    Direct,
    /// One plain answer, without tools.
    Plain,
    /// No tool runs without a reason.
    Insist,
    /// A call could not be read.
    Hint,
    /// Nothing can be called any more.
    Close,
    /// An answer was refused for its confidence.
    Refused,
    /// The code changed under the run.
    Renewed,
    /// What holds for the whole run.
    Grounding,
    /// A message was too long to be shown whole.
    Kept,
    /// The same, where nothing can be recalled.
    Cut,
    /// What earlier turns gave, and can be recalled.
    Recallable,
    /// The form of a reflection.
    Reflection,
    /// What was learned from failures.
    Learned,
    /// The form of grades.
    Grades,
    /// The form of a query.
    Query,
}

impl Note {
    /// All.
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
