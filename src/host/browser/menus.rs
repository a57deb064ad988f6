//! The context menus: made once, when the extension is installed or updated.

use super::chrome::{self, words};
use super::json;
use serde::Serialize;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[derive(Serialize)]
struct Item {
    id: &'static str,
    contexts: [&'static str; 1],
    title: String,
}

/// Makes *Explain “…”* on a selection and *Summarize page* on a page.
///
/// # Errors
/// Chrome's words.
pub async fn install() -> Result<(), String> {
    // Made twice, an id is refused.
    JsFuture::from(chrome::remove_menus())
        .await
        .map_err(|error| words(&error))?;
    let items = [
        ("explain", "selection", "menu_explain"),
        ("summarize", "page", "summarize_page"),
    ];
    for (id, context, title) in items {
        let item = Item {
            id,
            contexts: [context],
            title: chrome::message(title),
        };
        let item: JsValue = json::write(&item).map_err(|error| words(&error))?;
        chrome::create_menu(&item).map_err(|error| words(&error))?;
    }
    Ok(())
}
