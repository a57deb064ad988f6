//! The parts of a run that tools depend on. A tool is not offered to a run without its part.

/// A part of a run that may be absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requirement {
    /// A page with text.
    Page,
    /// A tab that is still open.
    Tab,
    /// A search provider.
    Search,
    /// An earlier result that the model sees only shortened.
    Results,
    /// The facts about the user.
    Memory,
    /// A model that makes images.
    Painter,
}
