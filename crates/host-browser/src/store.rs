//! [`Store`] on `chrome.storage.session`, which outlasts the worker but not the browser session.
//!
//! A batch is one JSON string under the key `r/<run>/<number>`; the number has eight digits. Chrome
//! writes the value of a key completely or not at all, so no batch is half-written. Only the
//! journal parses the strings.

use super::chrome::{self, error_message};
use gloss_durable::{Fut, RunId, Store, StoreError, StoredBatch};
use js_sys::{Array, Object, Promise, Reflect};
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
        done(set(&key(&batch.run, batch.number), batch.records))
    }

    fn erase(&self, run: &RunId) -> Fut<Result<(), StoreError>> {
        let names = chrome::session_keys();
        let prefix = format!("{PREFIX}{run}/");
        Box::pin(async move {
            let names: Array = settled(names).await?.unchecked_into();
            let doomed: Array = names
                .iter()
                .filter(|name| {
                    name.as_string()
                        .is_some_and(|name| name.starts_with(&prefix))
                })
                .collect();
            settled(chrome::session_remove(&doomed)).await.map(|_| ())
        })
    }

    fn release(&self, run: &RunId, numbers: Vec<u64>) -> Fut<Result<(), StoreError>> {
        let names = numbers
            .iter()
            .map(|number| JsValue::from(key(run, *number)));
        let removal = chrome::session_remove(&names.collect());
        done(removal)
    }

    fn put_text(&self, name: &'static str, text: String) -> Fut<Result<(), StoreError>> {
        if text.is_empty() {
            return done(chrome::session_remove(
                &[name].iter().map(|name| JsValue::from(*name)).collect(),
            ));
        }
        done(set(name, text))
    }

    fn text(&self, name: &'static str) -> Fut<Result<Option<String>, StoreError>> {
        let read = chrome::stored("session", &name.into());
        Box::pin(async move {
            let items = settled(read).await?;
            let text = Reflect::get(&items, &name.into()).ok();
            Ok(text.and_then(|text| text.as_string()))
        })
    }
}

fn key(run: &RunId, number: u64) -> String {
    format!("{PREFIX}{run}/{number:08}")
}

fn set(name: &str, text: String) -> Result<Promise, JsValue> {
    let items = Object::new();
    Reflect::set(&items, &name.into(), &text.into())?;
    chrome::session_set(&items)
}

/// Converts the promise of a write to a future. The conversion is not delayed until the first poll.
/// If the future is dropped, a rejection of the promise still counts as handled.
fn done(call: Result<Promise, JsValue>) -> Fut<Result<(), StoreError>> {
    let done = call.map(JsFuture::from);
    Box::pin(async move {
        let done = match done {
            Ok(done) => done.await,
            Err(thrown) => Err(thrown),
        };
        done.map(|_| ()).map_err(|error| refusal(&error))
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
    let answer = match call {
        Ok(promise) => JsFuture::from(promise).await,
        Err(thrown) => Err(thrown),
    };
    answer.map_err(|error| refusal(&error))
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
