//! What a tool can do nothing without: where a run lacks it, the tool is not offered.

use super::{Aid, Part, Place};

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

/// What a run has.
pub(super) struct Ground<'a> {
    pub(super) has_page: bool,
    pub(super) place: &'a Place,
    pub(super) searches: bool,
    pub(super) has_results: bool,
    pub(super) has_memory: bool,
    pub(super) aid: &'a Aid,
}

impl Ground<'_> {
    /// Whether a tool that needs this can do anything.
    pub(super) fn has(&self, needs: Needs) -> bool {
        match needs {
            Needs::Page => self.has_page,
            Needs::Tab => self.place.tab.is_some(),
            Needs::Search => self.searches,
            Needs::Results => self.has_results,
            Needs::Memory => self.has_memory,
            // That the budgets can't pay it by now is no reason: they may be extended.
            Needs::Painter => self.aid.playing(Part::Image).is_some(),
        }
    }
}
