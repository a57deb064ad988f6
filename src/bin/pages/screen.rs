//! The signals that the connection sets, and the scroll position of the log.
//!
//! If the end of the log is in view, the log scrolls with new text. A single update never scrolls
//! the beginning of an answer out of the view. An answer that arrives complete is therefore shown
//! from its beginning.

use crate::loaded_image::Pictures;
use crate::prelude::*;
use gloss::agent::Failure;
use gloss::agent::trajectory::Trajectory;
use gloss::app::surface::{ConversationSummary, Snapshot};
use gloss::durable::RunId;
use wasm_bindgen::JsCast;

/// The end of the log is in view if it is at most this far below the view, in CSS pixels.
const NEAR_PX: i32 = 32;
/// The space above a message after the log scrolled to it, in CSS pixels.
const ABOVE_PX: i32 = 16;

/// The signals that the connection sets.
#[derive(Clone, Copy)]
pub(crate) struct PaintTarget {
    /// The worker's last state, with the commands that it has not confirmed yet.
    pub(crate) shown: Signal<Snapshot>,
    /// True once the worker has answered.
    pub(crate) known: Signal<bool>,
    /// The reason why the worker does not answer, or the request that it refused.
    pub(crate) trouble: Signal<Option<Failure>>,
    /// The scrolling log.
    pub(crate) log: NodeRef,
    /// True if there is new text below the view.
    pub(crate) behind: Signal<bool>,
    /// The message being written; messages that the worker did not receive go back there.
    pub(crate) draft: Signal<String>,
    /// The past conversations, while they are listed.
    pub(crate) past: Signal<Option<Vec<ConversationSummary>>>,
    /// The trajectory that the worker sent for the open run.
    pub(crate) inspected: Signal<Option<(RunId, Trajectory)>>,
    /// The images of tool calls, as far as they were requested.
    pub(crate) pictures: Signal<Pictures>,
}

impl PaintTarget {
    pub(crate) fn new() -> Self {
        Self {
            shown: create_signal(Snapshot::unknown()),
            known: create_signal(false),
            trouble: create_signal(None),
            log: create_node_ref(),
            behind: create_signal(false),
            draft: create_signal(String::new()),
            past: create_signal(None),
            inspected: create_signal(None),
            pictures: create_signal(Pictures::default()),
        }
    }

    /// Shows the current state, and scrolls the log.
    pub(crate) fn paint(&self, shown: Snapshot, known: bool) {
        let more_turns = self
            .shown
            .with_untracked(|old| shown.turns.len() > old.turns.len());
        // The on-device model doesn't stream.
        let arrived_whole = self.shown.with_untracked(|old| {
            let (was, is) = (old.turns.last(), shown.turns.last());
            was.is_some_and(|was| was.answer.is_none() && was.growing.is_empty())
                && is.is_some_and(|is| is.answer.is_some())
        });
        let follows = is_near_end(self.log);
        let before = height(self.log);
        self.shown.set(shown);
        if known != self.known.get_untracked() {
            self.known.set(known);
        }
        if more_turns || follows && arrived_whole {
            scroll_to_last_message(self.log);
        } else if follows && height(self.log) - before <= view_height(self.log) {
            scroll_to_end(self.log);
        } else if follows {
            scroll_to_last_message(self.log);
        }
        // The button "New text" is for new text only, not for a changed number in a step.
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

/// Returns true if the end of the log is in view, or nearly so.
pub(crate) fn is_near_end(log: NodeRef) -> bool {
    element(log)
        .is_none_or(|log| log.scroll_height() - log.scroll_top() - log.client_height() <= NEAR_PX)
}

pub(crate) fn scroll_to_end(log: NodeRef) {
    if let Some(log) = element(log) {
        log.set_scroll_top(log.scroll_height());
    }
}

/// Scrolls the newest message to the top of the log, without scrolling the page.
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
