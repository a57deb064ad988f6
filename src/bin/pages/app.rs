//! The chat page: the bar at the top, the log of the conversation, and the dock at the bottom.

use crate::bar::bar;
use crate::browser::{is_escape, on_document};
use crate::built_in::BuiltIn;
use crate::dock::footer;
use crate::history::history;
use crate::log::log;
use crate::parts::tag;
use crate::passage;
use crate::surface::Surface;
use crate::trajectory::trajectory;
use crate::words::msg;
use sycamore::prelude::*;

pub(crate) fn app() -> View {
    let surface = Surface::new();
    provide_context(surface.clone());
    BuiltIn::provide();
    listen_for_keys(surface.clone());
    passage::listen();
    surface.connection().begin();
    on_mount({
        let surface = surface.clone();
        move || surface.focus_message()
    });
    let past = surface.past;
    // The page's first-level heading. The headings of answers are one level lower.
    let title = tag("h2.sr", msg("conversation"));
    let main = tag("main", (title, log(), trajectory(), footer()));
    let main = main.flag("inert", move || past.with(Option::is_some));
    tag("div.state", (bar(), main, history())).into()
}

/// Handles the keys that work wherever the focus is: Alt S, and Esc to close what is open. While
/// Alt S is the extension's shortcut, Chrome handles the key. If the user changed that shortcut,
/// this function handles Alt S.
fn listen_for_keys(surface: Surface) {
    on_document("keydown", move |event: web_sys::KeyboardEvent| {
        if event.alt_key() && !event.ctrl_key() && event.code() == "KeyS" {
            event.prevent_default();
            surface.summarize();
        } else if is_escape(&event) && !event.default_prevented() && close_one(&surface) {
            event.prevent_default();
        }
    });
}

/// Handles Esc in the composer or the log. Esc closes what is open; if nothing is open, it stops
/// the active run. If no run is active either, Esc keeps its default action.
pub(crate) fn stop_on_escape(surface: &Surface, event: &web_sys::KeyboardEvent) {
    if !is_escape(event) || event.default_prevented() || has_popover() {
        return;
    }
    let running = surface
        .shown
        .with_untracked(|shown| shown.running().is_some());
    if close_one(surface) {
        event.prevent_default();
    } else if running {
        event.prevent_default();
        surface.stop();
    }
}

/// Closes the topmost open part of the page. The browser itself closes popovers.
fn close_one(surface: &Surface) -> bool {
    if has_popover() {
        return false;
    }
    if surface.past.with_untracked(Option::is_some) {
        crate::history::close(surface);
        return true;
    }
    if surface.drawer.with_untracked(Option::is_some) {
        crate::trajectory::close(surface);
        return true;
    }
    let editing = surface.editing.with_untracked(Option::is_some);
    if editing {
        surface.leave_edit();
        surface.focus_message();
    }
    editing
}

fn has_popover() -> bool {
    let open = sycamore::web::document().query_selector(":popover-open");
    open.is_ok_and(|open| open.is_some())
}
