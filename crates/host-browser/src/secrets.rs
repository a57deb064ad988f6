//! [`KeyStorageArea`] on `chrome.storage.local` and `chrome.storage.session`. The names have the
//! prefix `k/`. API keys are never synced to other devices.

use super::chrome;
use super::store::settled;
use gloss_durable::sorted::SortedMap;
use gloss_durable::{Fut, StoreError};
use gloss_host::KeyStorageArea;
use js_sys::{Array, Object, Promise, Reflect};
use wasm_bindgen::prelude::*;

const PREFIX: &str = "k/";

type Get = fn(&JsValue) -> Result<Promise, JsValue>;

/// One of Chrome's two storage areas.
pub(super) enum Area {
    /// The area `storage.local`.
    Local,
    /// The area `storage.session`.
    Session,
}

impl KeyStorageArea for Area {
    fn all(&self) -> Fut<Result<SortedMap<String, String>, StoreError>> {
        let (keys, get): (_, Get) = match self {
            Self::Local => (chrome::local_keys(), chrome::local_get),
            Self::Session => (chrome::session_keys(), chrome::session_get),
        };
        Box::pin(async move {
            let names: Array = settled(keys).await?.unchecked_into();
            let ours = |name: &JsValue| name.as_string().is_some_and(|it| it.starts_with(PREFIX));
            let names: Array = names.iter().filter(ours).collect();
            if names.length() == 0 {
                return Ok(SortedMap::new());
            }
            let items = settled(get(&names)).await?;
            let entry = |name: JsValue| {
                let text = Reflect::get(&items, &name).ok()?.as_string()?;
                let name = name.as_string()?;
                Some((name.strip_prefix(PREFIX)?.to_owned(), text))
            };
            Ok(names.iter().filter_map(entry).collect())
        })
    }

    fn put(&self, name: &str, text: &str) -> Fut<Result<(), StoreError>> {
        let items = Object::new();
        let set = Reflect::set(&items, &key(name), &text.into());
        let written = set.and_then(|_| match self {
            Self::Local => chrome::local_set(&items),
            Self::Session => chrome::session_set(&items),
        });
        Box::pin(async move { settled(written).await.map(|_| ()) })
    }

    fn remove(&self, names: Vec<String>) -> Fut<Result<(), StoreError>> {
        let names: Array = names.iter().map(|name| key(name)).collect();
        let removed = match self {
            Self::Local => chrome::local_remove(&names),
            Self::Session => chrome::session_remove(&names),
        };
        Box::pin(async move { settled(removed).await.map(|_| ()) })
    }
}

fn key(name: &str) -> JsValue {
    JsValue::from(format!("{PREFIX}{name}"))
}
