//! The items of the context menu, in the browser's current language.

use super::chrome::{self, error_message};
use super::json;
use gloss_durable::json::put;
use serde_json::{Value, json};
use wasm_bindgen_futures::JsFuture;

/// Creates or updates *Explain “…”* for selections and *Summarize page* for pages. Chrome keeps the
/// items after a worker ends. Each worker updates the items, because an earlier worker may have
/// died before it created them, and the browser's language may have changed.
///
/// # Errors
/// Chrome's message.
pub async fn install() -> Result<(), String> {
    let items = [
        ("explain", "selection", "menu_explain"),
        ("summarize", "page", "summarize_page"),
    ];
    for (id, context, title) in items {
        let mut item = json!({ "contexts": [context], "title": chrome::message(title) });
        let write = |item: &Value| json::write(item).map_err(|error| error_message(&error));
        // An existing item must be updated and a missing one created; the wrong call fails.
        let known = JsFuture::from(chrome::update_menu(id, &write(&item)?)).await;
        if known.is_err() {
            put(&mut item, "id", id.into());
            chrome::create_menu(&write(&item)?).map_err(|error| error_message(&error))?;
        }
    }
    Ok(())
}
