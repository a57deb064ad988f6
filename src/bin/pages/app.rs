//! The chat page: the bar at the top, the log of the conversation, and the dock at the bottom.

use crate::bar::bar;
use crate::browser::{is_escape, on_document};
use crate::built_in::BuiltIn;
use crate::dock::footer;
use crate::escape::close_one;
use crate::history::history;
use crate::log::log;
use crate::passage;
use crate::prelude::*;
use crate::surface::Surface;
use crate::trajectory::trajectory;

/// Builds the chat page.
pub(crate) fn app() -> Tag {
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
    // The heading of the conversation. The headings in answers are one level lower.
    let title = tag("h2.sr", msg("conversation"));
    let main = tag("main", (title, log(), trajectory(), footer()));
    let main = main.flag("inert", move || past.with(Option::is_some));
    tag("div.state", (bar(), main, history()))
}

/// Handles the keys that work wherever the focus is: Alt+S, and Esc to close what is open. While
/// Alt+S is the extension's shortcut, Chrome handles the key. If the user changed that shortcut,
/// this function handles Alt+S.
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
