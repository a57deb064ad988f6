//! The context menus: there in every life, in the language of now.

use super::chrome::{self, words};
use super::json;
use gloss_durable::json::put;
use serde_json::{Value, json};
use wasm_bindgen_futures::JsFuture;

/// Sees to it that *Explain “…”* stands on a selection and *Summarize page* on a
/// page. Chrome keeps menus across lives, but the life that should have made them
/// may have been killed first; and a menu keeps the language it was made in.
///
/// # Errors
/// Chrome's words.
pub async fn install() -> Result<(), String> {
    let items = [
        ("explain", "selection", "menu_explain"),
        ("summarize", "page", "summarize_page"),
    ];
    for (id, context, title) in items {
        let mut item = json!({ "contexts": [context], "title": chrome::message(title) });
        let write = |item: &Value| json::write(item).map_err(|error| words(&error));
        // Made twice, an id is refused; changed, one that is not there is.
        let known = JsFuture::from(chrome::update_menu(id, &write(&item)?)).await;
        if known.is_err() {
            put(&mut item, "id", id.into());
            chrome::create_menu(&write(&item)?).map_err(|error| words(&error))?;
        }
    }
    Ok(())
}
