//! Texts in `chrome.storage.local`. The keys of each kind of text begin with their own prefix.
//!
//! Each call is issued before the returned future is polled, so that writes are stored in the order
//! of their calls.

use super::store::settled;
use super::{chrome, json};
use gloss_durable::{Fut, StoreError};
use js_sys::{Array, Object, Reflect};
use serde_json::json;
use wasm_bindgen::prelude::*;

pub(super) fn get(key: String) -> Fut<Result<Option<String>, StoreError>> {
    let read = chrome::stored("local", &JsValue::from_str(&key));
    Box::pin(async move {
        let items = settled(read).await?;
        let value = Reflect::get(&items, &JsValue::from_str(&key)).unwrap_or_default();
        Ok(value.as_string())
    })
}

pub(super) fn put(key: &str, text: &str) -> Fut<Result<(), StoreError>> {
    let items = Object::new();
    let set = Reflect::set(&items, &key.into(), &text.into());
    let written = set.and_then(|_| chrome::local_set(&items));
    Box::pin(async move { settled(written).await.map(|_| ()) })
}

pub(super) fn remove(key: &str) -> Fut<Result<(), StoreError>> {
    let removed = chrome::local_remove(&Array::of1(&key.into()));
    Box::pin(async move { settled(removed).await.map(|_| ()) })
}

/// Removes every key with this prefix.
pub(super) fn clear(prefix: &'static str) -> Fut<Result<(), StoreError>> {
    let names = chrome::local_keys();
    Box::pin(async move {
        let names: Array = settled(names).await?.unchecked_into();
        let ours = |name: &JsValue| name.as_string().is_some_and(|it| it.starts_with(prefix));
        let doomed: Array = names.iter().filter(ours).collect();
        settled(chrome::local_remove(&doomed)).await.map(|_| ())
    })
}

/// Denies content scripts access to both storage areas. Call this once in each worker.
///
/// # Errors
/// Chrome refuses.
pub async fn restrict_to_extension() -> Result<(), StoreError> {
    let level = json::write(&json!({ "accessLevel": "TRUSTED_CONTEXTS" }));
    let shut = [chrome::local_access, chrome::session_access]
        .map(|access| level.clone().and_then(|level| access(&level)));
    for shut in shut {
        settled(shut).await?;
    }
    Ok(())
}
