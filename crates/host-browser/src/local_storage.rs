//! [`LocalStorage`] on `chrome.storage.local`. The keys have the prefix `s/`. The stored texts
//! outlast the browser session.

use super::chrome::LOCAL;
use super::store::{remove, remove_all, stored_text, write};
use gloss_durable::{Fut, StoreError};
use gloss_host::LocalStorage;

const PREFIX: &str = "s/";

pub(super) struct LocalShelf;

impl LocalStorage for LocalShelf {
    fn get(&self, name: &str) -> Fut<Result<Option<String>, StoreError>> {
        stored_text("local", format!("{PREFIX}{name}"))
    }

    fn put(&self, name: &str, text: String) -> Fut<Result<(), StoreError>> {
        write(&LOCAL, &format!("{PREFIX}{name}"), &text)
    }

    fn remove(&self, name: &str) -> Fut<Result<(), StoreError>> {
        remove(&LOCAL, [format!("{PREFIX}{name}")])
    }

    fn clear(&self) -> Fut<Result<(), StoreError>> {
        remove_all(&LOCAL, PREFIX.to_owned())
    }
}
