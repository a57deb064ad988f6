//! [`LocalStorage`] on `chrome.storage.local`. The keys have the prefix `s/`. The stored texts
//! outlast the browser session.

use super::local;
use gloss_durable::{Fut, StoreError};
use gloss_host::LocalStorage;

const PREFIX: &str = "s/";

pub(super) struct LocalShelf;

impl LocalStorage for LocalShelf {
    fn get(&self, name: &str) -> Fut<Result<Option<String>, StoreError>> {
        local::get(format!("{PREFIX}{name}"))
    }

    fn put(&self, name: &str, text: String) -> Fut<Result<(), StoreError>> {
        local::put(&format!("{PREFIX}{name}"), &text)
    }

    fn remove(&self, name: &str) -> Fut<Result<(), StoreError>> {
        local::remove(&format!("{PREFIX}{name}"))
    }

    fn clear(&self) -> Fut<Result<(), StoreError>> {
        local::clear(PREFIX)
    }
}
