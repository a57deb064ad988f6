//! Sends the options pages the changes that runs make to facts and lessons. Each page gets the
//! state that was sent last, with the change applied.

use super::service::OptionsService;
use super::{State, facts};
use crate::SurfaceId;
use crate::surface::Reply;
use gloss_memory::Facts;

impl OptionsService {
    pub(crate) fn send_facts(&self, known: &Facts) {
        self.send_change(&|state| state.facts = facts::in_order(known));
    }

    /// Sends the current settings, after a surface has changed them.
    pub(crate) fn send_preferences(&self) {
        self.send_change(&|state| state.preferences = self.kept.now());
    }

    /// Sends the new value of [`State::learned`] to every options page.
    pub(crate) fn send_lessons(&self) {
        self.send_change(&|state| state.learned = self.episodes.changes());
    }

    /// Applies a change to the last state and sends the state to every options page. Does nothing
    /// while a request is in progress, because the whole state is sent when the request ends.
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
