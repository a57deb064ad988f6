//! The parts of a run that tools need. If a run does not have a part, the tools that need it are
//! not offered.

/// A part of a run that a tool may need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requirement {
    /// A page that has text.
    Page,
    /// A tab that is still open.
    Tab,
    /// A search provider.
    Search,
    /// At least one earlier result that was shortened for the model.
    Results,
    /// The facts about the user.
    Memory,
    /// A model that makes images.
    Painter,
}
