//! [`Store`] on `chrome.storage.session`, which outlasts the worker but not the browser session.
//!
//! A batch is one JSON string under the key `r/<run>/<number>`; the number has eight digits. Chrome
//! writes the value of a key completely or not at all, so no batch is half-written. Only the
//! journal parses the strings.

use super::chrome::{self, LOCAL, SESSION, StorageArea, error_message};
use super::object::{field, object};
use gloss_durable::{Fut, RunId, Store, StoreError, StoredBatch};
use js_sys::{Array, Object, Promise};
use wasm_bindgen::JsThreadLocal;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

const PREFIX: &str = "r/";

/// Session storage, which Chrome limits to 10 MB.
pub(super) struct SessionStore;

impl Store for SessionStore {
    fn load_all(&self) -> Fut<Result<Vec<StoredBatch>, StoreError>> {
        let read = chrome::stored("session", &JsValue::NULL);
        Box::pin(async move {
            let items = settled(read).await?;
            Ok(Object::entries(items.unchecked_ref::<Object>())
                .iter()
                .map(|entry| {
                    let entry: Array = entry.unchecked_into();
                    (entry.get(0), entry.get(1))
                })
                .filter_map(|(key, value)| Some((key.as_string()?, value)))
                .filter(|(key, _)| key.starts_with(PREFIX))
                .filter_map(|(key, value)| batch(&key, &value))
                .collect())
        })
    }

    fn append(&self, batch: StoredBatch) -> Fut<Result<(), StoreError>> {
        write(&SESSION, &key(&batch.run, batch.number), &batch.records)
    }

    fn erase(&self, run: &RunId) -> Fut<Result<(), StoreError>> {
        remove_all(&SESSION, format!("{PREFIX}{run}/"))
    }

    fn release(&self, run: &RunId, numbers: Vec<u64>) -> Fut<Result<(), StoreError>> {
        remove(&SESSION, numbers.iter().map(|number| key(run, *number)))
    }

    fn put_text(&self, name: &'static str, text: String) -> Fut<Result<(), StoreError>> {
        if text.is_empty() {
            return remove(&SESSION, [name.to_owned()]);
        }
        write(&SESSION, name, &text)
    }

    fn text(&self, name: &'static str) -> Fut<Result<Option<String>, StoreError>> {
        stored_text("session", name.to_owned())
    }
}

fn key(run: &RunId, number: u64) -> String {
    format!("{PREFIX}{run}/{number:08}")
}

type Area = &'static JsThreadLocal<StorageArea>;

/// Reads the text under a key of an area.
pub(super) fn stored_text(area: &str, key: String) -> Fut<Result<Option<String>, StoreError>> {
    let read = chrome::stored(area, &JsValue::from_str(&key));
    Box::pin(async move {
        let items = settled(read).await?;
        Ok(field(&items, &key).as_string())
    })
}

/// Stores a text under a key of an area.
pub(super) fn write(area: Area, key: &str, text: &str) -> Fut<Result<(), StoreError>> {
    let items = object(&[(key, text.into())]);
    done(area.with(|area| area.set(&items)))
}

/// Removes keys of an area.
pub(super) fn remove(
    area: Area,
    keys: impl IntoIterator<Item = String>,
) -> Fut<Result<(), StoreError>> {
    let keys: Array = keys.into_iter().map(JsValue::from).collect();
    done(area.with(|area| area.remove(&keys)))
}

/// Removes every key of an area that has this prefix.
pub(super) fn remove_all(area: Area, prefix: String) -> Fut<Result<(), StoreError>> {
    let names = area.with(StorageArea::keys);
    Box::pin(async move {
        let names: Array = settled(names).await?.unchecked_into();
        let ours = |name: &JsValue| name.as_string().is_some_and(|it| it.starts_with(&prefix));
        let doomed: Array = names.iter().filter(ours).collect();
        settled(area.with(|area| area.remove(&doomed)))
            .await
            .map(drop)
    })
}

/// Denies content scripts access to both storage areas. Call this once in each life of the worker.
///
/// # Errors
/// Chrome refuses.
pub async fn restrict_to_extension() -> Result<(), StoreError> {
    let level = object(&[("accessLevel", "TRUSTED_CONTEXTS".into())]);
    for shut in [&LOCAL, &SESSION].map(|area| area.with(|area| area.set_access(&level))) {
        settled(shut).await?;
    }
    Ok(())
}

/// Converts the promise of a write to a future. The conversion is not delayed until the first poll.
/// If the future is dropped, a rejection of the promise still counts as handled.
fn done(call: Result<Promise, JsValue>) -> Fut<Result<(), StoreError>> {
    let done = call.map(JsFuture::from);
    Box::pin(async move {
        let done = async { done?.await };
        done.await.map(drop).map_err(|error| refusal(&error))
    })
}

/// Returns the batch under a key; `None` if the key isn't a batch's. A value that isn't a text
/// becomes an unreadable batch. Only the run of that batch is then unreadable.
fn batch(key: &str, value: &JsValue) -> Option<StoredBatch> {
    let (run, number) = key.strip_prefix(PREFIX)?.rsplit_once('/')?;
    Some(StoredBatch {
        run: RunId(run.to_owned()),
        number: number.parse().ok()?,
        records: value.as_string().unwrap_or_default(),
    })
}

/// Awaits a call to Chrome's storage.
pub(super) async fn settled(call: Result<Promise, JsValue>) -> Result<JsValue, StoreError> {
    chrome::settled(call).await.map_err(|error| refusal(&error))
}

/// Converts an error of storage by its message, because Chrome gives no error code. The message of
/// full storage is "Session storage quota bytes exceeded. Values were not stored."
fn refusal(error: &JsValue) -> StoreError {
    let message = error_message(error);
    let lower = message.to_ascii_lowercase();
    // The message "This request exceeds the MAX_WRITE_OPERATIONS_PER_MINUTE quota" doesn't mean
    // that the storage is full.
    if lower.contains("quota") && !lower.contains("max_write_operations") {
        StoreError::Full
    } else {
        StoreError::Denied { message }
    }
}
