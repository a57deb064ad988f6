//! The bar: which page, a new chat, the way to Options.

use crate::chrome;
use crate::icon::icon;
use crate::live::handler;
use crate::page_chip::page_chip;
use crate::surface::Surface;
use crate::words::msg;
use sycamore::prelude::*;

/// The bar.
pub(crate) fn bar() -> View {
    let surface = Surface::here();
    let app_name_word = msg("app_name");
    let new_chat = named("new_chat", "plus", move || surface.new_chat());
    let history = crate::history::button();
    let settings = named("settings", "settings", open_options);
    let page_chip = page_chip();
    view! {
        header(class="bar") {
            h1(class="sr") { (app_name_word) }
            (page_chip)
            (new_chat)
            (history)
            (settings)
        }
    }
}

fn named(key: &'static str, sign: &'static str, pressed: impl Fn() + 'static) -> View {
    let (name, tip, sign) = (msg(key), msg(key), icon(sign));
    view! {
        button(class="icon-btn", aria-label=name, title=tip, on:click=handler(move |_| pressed())) { (sign) }
    }
}

/// Opens Options, or brings it to the front.
pub(crate) fn open_options() {
    let opened = chrome::open_options();
    wasm_bindgen_futures::spawn_local(async move {
        // It fails only in a browser that is closing.
        let _ = wasm_bindgen_futures::JsFuture::from(opened).await;
    });
}
