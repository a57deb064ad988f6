//! The whole page: the bar, the log, the dock.

use crate::composer::composer;
use crate::icon::icon;
use crate::log::log;
use crate::page_chip::page_chip;
use crate::status::status;
use crate::surface::Surface;
use crate::warnings::warnings;
use crate::words::msg;
use sycamore::prelude::*;
use wasm_bindgen::prelude::*;

/// The chat page.
pub(crate) fn app() -> View {
    let surface = Surface::new();
    provide_context(surface.clone());
    listen_for_keys(surface.clone());
    surface.connection().begin();
    on_mount({
        let surface = surface.clone();
        move || surface.focus_message()
    });
    let app_name_word = msg("app_name");
    let new_chat_name = msg("new_chat");
    let new_chat_tip = msg("new_chat");
    let plus_icon = icon("plus");
    view! {
        div(class="state") {
            header(class="bar") {
                h1(class="sr") { (app_name_word) }
                (page_chip())
                button(
                    class="icon-btn",
                    aria-label=new_chat_name,
                    title=new_chat_tip,
                    on:click=move |_| surface.new_chat(),
                ) { (plus_icon) }
            }
            main {
                (log())
                div(class="dock") {
                    (status())
                    (warnings())
                    (composer())
                }
            }
        }
    }
}

/// Alt S, wherever the focus is. Chrome keeps the key to itself where the
/// extension's shortcut has it; here it works if the shortcut was changed.
fn listen_for_keys(surface: Surface) {
    let pressed =
        Closure::<dyn Fn(web_sys::KeyboardEvent)>::new(move |event: web_sys::KeyboardEvent| {
            if event.alt_key() && !event.ctrl_key() && event.code() == "KeyS" {
                event.prevent_default();
                surface.summarize();
            }
        });
    // Fails only for an event name that is none.
    let _ = sycamore::web::document()
        .add_event_listener_with_callback("keydown", pressed.as_ref().unchecked_ref());
    pressed.forget();
}

/// Esc stops the run at work; with none, the key does what it always does.
pub(crate) fn stop_on_escape(surface: &Surface, event: &web_sys::KeyboardEvent) {
    let running = surface
        .shown
        .with_untracked(|shown| shown.running().is_some());
    if event.key() == "Escape" && !event.is_composing() && running {
        event.prevent_default();
        surface.stop();
    }
}
