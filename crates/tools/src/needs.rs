//! What a tool can do nothing without: where a run lacks it, the tool is not offered.

/// Something that a run has or lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// A page with words of its own.
    Page,
    /// A tab that is still there.
    Tab,
    /// Somebody who searches the web.
    Search,
    /// A result that no longer stands before the model whole.
    Results,
    /// What is known of the person.
    Memory,
    /// A model that makes images.
    Painter,
}
