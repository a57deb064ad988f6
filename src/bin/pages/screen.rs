//! What the connection paints, and where the log stands while it grows.
//!
//! The log follows its end only if it is there, and never so far that the
//! beginning of an answer leaves the view in one paint: an answer that arrives
//! whole is read from its start.

use gloss::agent::Failure;
use gloss::app::surface::Snapshot;
use sycamore::prelude::*;
use wasm_bindgen::JsCast;

/// The log follows its end if it is this near to it, in CSS pixels.
const NEAR_PX: i32 = 32;
/// What stays free above a message that the log scrolls to, in CSS pixels.
const ABOVE_PX: i32 = 16;

/// What a connection paints.
#[derive(Clone, Copy)]
pub(crate) struct Screen {
    pub(crate) shown: Signal<Snapshot>,
    pub(crate) known: Signal<bool>,
    pub(crate) trouble: Signal<Option<Failure>>,
    pub(crate) log: NodeRef,
    pub(crate) behind: Signal<bool>,
}

impl Screen {
    /// Shows what is known now, and moves the log as a reader would.
    pub(crate) fn paint(&self, shown: Snapshot, known: bool) {
        let more_turns = self
            .shown
            .with_untracked(|old| shown.turns.len() > old.turns.len());
        let follows = is_near_end(self.log);
        let before = height(self.log);
        self.shown.set(shown);
        if known != self.known.get_untracked() {
            self.known.set(known);
        }
        if more_turns {
            scroll_to_last_message(self.log);
        } else if follows && height(self.log) - before <= view_height(self.log) {
            scroll_to_end(self.log);
        } else if follows {
            scroll_to_last_message(self.log);
        }
        // Only what is new below the view is worth a word: not a step's figures.
        let grew = height(self.log) > before;
        let behind = grew && !follows && !more_turns && !is_near_end(self.log);
        let running = self.shown.with_untracked(|s| s.running().is_some());
        if behind && running {
            self.behind.set(true);
        }
    }
}

fn height(log: NodeRef) -> i32 {
    element(log).map_or(0, |log| log.scroll_height())
}

fn view_height(log: NodeRef) -> i32 {
    element(log).map_or(0, |log| log.client_height())
}

fn element(log: NodeRef) -> Option<web_sys::Element> {
    log.try_get()?.dyn_into().ok()
}

/// Whether the log's end is in view, or nearly.
pub(crate) fn is_near_end(log: NodeRef) -> bool {
    element(log)
        .is_none_or(|log| log.scroll_height() - log.scroll_top() - log.client_height() <= NEAR_PX)
}

/// Goes to the end of the log.
pub(crate) fn scroll_to_end(log: NodeRef) {
    if let Some(log) = element(log) {
        log.set_scroll_top(log.scroll_height());
    }
}

/// Puts the newest message at the top of the log; only the log scrolls.
fn scroll_to_last_message(log: NodeRef) {
    let Some(log) = element(log) else {
        return;
    };
    let message = log
        .query_selector_all("[data-you]")
        .ok()
        .and_then(|all| all.item(all.length().saturating_sub(1)))
        .and_then(|node| node.dyn_into::<web_sys::HtmlElement>().ok());
    if let Some(message) = message {
        log.set_scroll_top(message.offset_top() - ABOVE_PX);
    }
}
