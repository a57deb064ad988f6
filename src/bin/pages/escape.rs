//! Esc: closes what is open, or else stops the active run.

use crate::browser::is_escape;
use crate::surface::Surface;
use crate::{history, trajectory};

/// Handles Esc in the composer or the log. Without an active run, Esc keeps its default action.
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

/// Closes the topmost open view: history, trajectory or edit. Returns true if there was one. The
/// browser closes popovers by itself.
pub(crate) fn close_one(surface: &Surface) -> bool {
    if has_popover() {
        return false;
    }
    if surface.past.with_untracked(Option::is_some) {
        history::close(surface);
        return true;
    }
    if surface.drawer.with_untracked(Option::is_some) {
        trajectory::close(surface);
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
