//! The bar at the top: the page in the tab, and buttons for a new chat, history and settings.

use crate::chrome;
use crate::history::history_button;
use crate::page_chip::page_chip;
use crate::prelude::*;
use crate::surface::Surface;

/// Builds the bar at the top of the chat page.
pub(crate) fn bar() -> Tag {
    let surface = Surface::from_context();
    let new_chat = icon_button("", "plus", msg("new_chat"), move || surface.new_chat());
    let settings = icon_button("", "settings", msg("settings"), open_options);
    let title = tag("h1.sr", msg("app_name"));
    tag(
        "header.bar",
        (title, page_chip(), new_chat, history_button(), settings),
    )
}

/// Opens the options page, or brings its tab to the front.
pub(crate) fn open_options() {
    let opened = chrome::open_options();
    wasm_bindgen_futures::spawn_local(async move {
        // The call fails only in a browser that is closing.
        let _ = wasm_bindgen_futures::JsFuture::from(opened).await;
    });
}
