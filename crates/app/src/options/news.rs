//! What a run changes meanwhile: every options page is told, with all else as it was told last.

use super::desk::Desk;
use super::{State, facts};
use crate::SurfaceId;
use crate::surface::Reply;
use gloss_memory::Facts;

impl Desk {
    /// Tells what is known now.
    pub(crate) fn tell_known(&self, known: &Facts) {
        self.tell_news(&|state| state.facts = facts::in_order(known));
    }

    /// Tells that other things are learned now.
    pub(crate) fn tell_learned(&self) {
        self.tell_news(&|state| state.learned = self.episodes.changes());
    }

    /// Nothing of a wish that is being done: its end tells all of it.
    fn tell_news(&self, news: &dyn Fn(&mut State)) {
        let pages: Vec<SurfaceId> = self.pages.borrow().keys().copied().collect();
        if pages.is_empty() || self.wishes.get() > 0 {
            return;
        }
        let Some(mut state) = self.told.borrow().clone() else {
            return;
        };
        news(&mut state);
        if self.told.borrow().as_ref() == Some(&state) {
            return;
        }
        self.told.replace(Some(state.clone()));
        for page in pages {
            let (state, answered) = (state.clone(), None);
            self.tell(page, &Reply::Options { state, answered });
        }
    }
}
