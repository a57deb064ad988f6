//! Changes that runs make to memory. Every options page gets its last state again, with the change.

use super::service::OptionsService;
use super::{State, facts};
use crate::SurfaceId;
use crate::surface::Reply;
use gloss_memory::Facts;

impl OptionsService {
    /// Sends the facts to every options page after a change.
    pub(crate) fn send_facts(&self, known: &Facts) {
        self.send_change(&|state| state.facts = facts::in_order(known));
    }

    /// Sends the new value of [`State::learned`] to every options page.
    pub(crate) fn send_lessons(&self) {
        self.send_change(&|state| state.learned = self.episodes.changes());
    }

    /// Sends a change, unless a request is in progress: the whole state is sent when that request
    /// ends.
    fn send_change(&self, news: &dyn Fn(&mut State)) {
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
