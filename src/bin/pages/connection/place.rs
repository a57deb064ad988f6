//! The tab that a surface stands beside, and what is shown of it until it was looked at again.

use super::{Connection, State};
use crate::tabs;
use gloss::app::surface::Beside;

impl Connection {
    /// Another tab came to the front: of its window, it is the one beside us.
    pub(super) fn activated(&self, place: tabs::Place) {
        let unsent = {
            let mut state = self.state.borrow_mut();
            let ours = state.place.is_none_or(|old| old.window == place.window);
            ours.then(|| {
                state.place = Some(place);
                // What is known is of another tab.
                if let Some(truth) = &mut state.truth {
                    truth.beside = Beside::Looking;
                }
                std::mem::take(&mut state.unconfirmed)
            })
        };
        if let Some(unsent) = unsent {
            self.give_back(&unsent);
            self.retry();
        }
    }
}

impl State {
    /// A tab that is looked at once more stays as it was until the look is over: a card that
    /// goes and comes back takes the focus from whoever is using it.
    pub(super) fn see(&mut self, beside: &mut Beside) {
        let Some(tab) = self.place.map(|place| place.tab) else {
            return;
        };
        match (&*beside, &self.seen) {
            (Beside::Looking, Some((known, seen))) if *known == tab => *beside = seen.clone(),
            (Beside::Looking | Beside::Nothing, _) => {}
            (Beside::Page { .. } | Beside::Unreadable { .. }, _) => {
                self.seen = Some((tab, beside.clone()));
            }
        }
    }
}
