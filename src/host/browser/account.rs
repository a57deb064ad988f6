//! [`Account`] on `chrome.storage.sync`, under `f/`: facts alone are ever there.

use super::super::{Account, Fut, StoreError};
use super::chrome;
use super::store::settled;
use js_sys::{Array, Object, Reflect};
use wasm_bindgen::prelude::*;

const PREFIX: &str = "f/";

/// What is shared through the person's account.
pub(super) struct SyncAccount;

impl Account for SyncAccount {
    fn all(&self) -> Fut<Result<Vec<(String, String)>, StoreError>> {
        let read = chrome::sync_get(&JsValue::NULL);
        Box::pin(async move {
            let items: Object = settled(read).await?.unchecked_into();
            let names = Object::keys(&items);
            let ours = names.iter().filter_map(|name| {
                let text = Reflect::get(&items, &name).ok()?.as_string()?;
                let name = name.as_string()?;
                Some((name.strip_prefix(PREFIX)?.to_owned(), text))
            });
            Ok(ours.collect())
        })
    }

    fn put(&self, items: Vec<(String, String)>) -> Fut<Result<(), StoreError>> {
        let object = Object::new();
        for (name, text) in items {
            // Fails for no plain object.
            let _ = Reflect::set(&object, &format!("{PREFIX}{name}").into(), &text.into());
        }
        let written = chrome::sync_set(&object);
        Box::pin(async move { settled(written).await.map(|_| ()) })
    }

    fn remove(&self, names: Vec<String>) -> Fut<Result<(), StoreError>> {
        let names = names.iter().map(|name| format!("{PREFIX}{name}").into());
        let names: Array = names.collect::<Vec<JsValue>>().into_iter().collect();
        let removed = chrome::sync_remove(&names);
        Box::pin(async move { settled(removed).await.map(|_| ()) })
    }
}
