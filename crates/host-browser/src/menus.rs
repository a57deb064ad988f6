//! The context menus, kept present and in the browser's current language.

use super::chrome::{self, error_message};
use super::json;
use gloss_durable::json::put;
use serde_json::{Value, json};
use wasm_bindgen_futures::JsFuture;

/// Creates or updates *Explain “…”* for selections and *Summarize page* for pages. Chrome keeps
/// menus across lives, but the life that should have created them may have been killed first, and a
/// menu keeps the language in which it was created.
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
        // Creating an existing id fails, and so does updating a missing one.
        let known = JsFuture::from(chrome::update_menu(id, &write(&item)?)).await;
        if known.is_err() {
            put(&mut item, "id", id.into());
            chrome::create_menu(&write(&item)?).map_err(|error| error_message(&error))?;
        }
    }
    Ok(())
}
