//! The conversation that each tab shows.

use super::state::TabConversation;
use super::{Hub, send};
use crate::SurfaceId;
use gloss_durable::{RunId, json};
use gloss_host::TabId;

impl Hub {
    /// Returns the conversations of all tabs as JSON, for [`Hub::restore_tab_conversations`].
    pub(crate) fn places(&self) -> String {
        let places = self.state.borrow().places();
        json::text(&places).unwrap_or_default()
    }

    /// Restores the conversations that tabs showed before the worker died.
    pub(crate) fn restore_tab_conversations(&self, places: &str) {
        let places: Vec<(TabId, TabConversation)> = json::parse(places).unwrap_or_default();
        let mut state = self.state.borrow_mut();
        for (tab, place) in places {
            state.show(tab, place.conversation, place.at_ms);
        }
    }

    pub(crate) fn current(&self, tab: TabId) -> Option<RunId> {
        self.state.borrow().current(tab)
    }

    /// Returns the conversations that tabs show, even if no surface is connected for the tab.
    pub(crate) fn all_current(&self) -> Vec<RunId> {
        let state = self.state.borrow();
        let shown = state.current.values();
        shown
            .filter_map(|current| current.conversation.clone())
            .collect()
    }

    /// Returns true if a tab shows the conversation, even if no surface is connected for the tab.
    pub(crate) fn is_current(&self, conversation: &RunId) -> bool {
        let state = self.state.borrow();
        let mut shown = state.current.values();
        shown.any(|current| current.conversation.as_ref() == Some(conversation))
    }

    /// Returns true if a connected surface shows the conversation.
    pub(crate) fn is_shown(&self, conversation: &RunId) -> bool {
        let state = self.state.borrow();
        let mut surfaces = state.surfaces.ids();
        surfaces.any(|surface| state.shown_id(surface) == Some(conversation))
    }

    /// Shows a conversation in the tab of a surface. Returns false if the conversation is not
    /// loaded.
    pub(crate) fn show(&self, surface: SurfaceId, conversation: &RunId, now_ms: u64) -> bool {
        let known = self.knows(conversation);
        match self.tab_of(surface).filter(|_| known) {
            Some((tab, _)) => {
                self.turn_to(tab, Some(conversation.clone()), now_ms);
                true
            }
            None => false,
        }
    }

    pub(super) fn turn_to(&self, tab: TabId, conversation: Option<RunId>, now_ms: u64) {
        let mut state = self.state.borrow_mut();
        state.turn_to(tab, conversation, now_ms);
        let outgoing = self.snapshots(&state, |id| state.surfaces.tab(id) == Some(tab));
        drop(state);
        send(outgoing);
    }
}
