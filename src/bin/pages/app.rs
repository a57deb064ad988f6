//! The whole page: the bar, the log, the dock.

use crate::bar::bar;
use crate::built_in::BuiltIn;
use crate::dock::dock;
use crate::history::history;
use crate::log::log;
use crate::passage;
use crate::surface::Surface;
use crate::trajectory::trajectory;
use crate::words::msg;
use sycamore::prelude::*;
use wasm_bindgen::prelude::*;

/// The chat page.
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
    let conversation_word = msg("conversation");
    let bar = bar();
    let log = log();
    let trajectory = trajectory();
    let dock = dock();
    let history = history();
    view! {
        div(class="state") {
            (bar)
            main(inert=move || past.with(Option::is_some)) {
                // The headings of answers stand a level below it.
                h2(class="sr") { (conversation_word) }
                (log)
                (trajectory)
                (dock)
            }
            (history)
        }
    }
}

/// Keys that work wherever the focus is: Alt S, and Esc for what is open.
/// Chrome keeps Alt S to itself where the extension's shortcut has it; here it
/// works if the shortcut was changed.
fn listen_for_keys(surface: Surface) {
    let pressed =
        Closure::<dyn Fn(web_sys::KeyboardEvent)>::new(move |event: web_sys::KeyboardEvent| {
            if event.alt_key() && !event.ctrl_key() && event.code() == "KeyS" {
                event.prevent_default();
                surface.summarize();
            } else if is_escape(&event) && !event.default_prevented() && close_one(&surface) {
                event.prevent_default();
            }
        });
    // Fails only for an event name that is none.
    let _ = sycamore::web::document()
        .add_event_listener_with_callback("keydown", pressed.as_ref().unchecked_ref());
    pressed.forget();
}

/// Esc in the composer or the log closes what is open; with nothing open it
/// stops the run; with none at work, the key does what it always does.
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

fn is_escape(event: &web_sys::KeyboardEvent) -> bool {
    event.key() == "Escape" && !event.is_composing()
}

/// Closes the topmost thing that is open, but for what floats: that the browser
/// closes by itself.
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
