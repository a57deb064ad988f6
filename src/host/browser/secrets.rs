//! [`Secrets`] on `chrome.storage.local`, under `k/`: on this device, never synced.

use super::super::{Fut, Secret, Secrets, StoreError};
use super::local;

const PREFIX: &str = "k/";

/// Keys, in local storage.
pub(super) struct LocalSecrets;

impl Secrets for LocalSecrets {
    fn get(&self, name: &str) -> Fut<Result<Option<Secret>, StoreError>> {
        let read = local::get(format!("{PREFIX}{name}"));
        Box::pin(async move { Ok(read.await?.map(|text| Secret::new(&text))) })
    }

    fn put(&self, name: &str, secret: Secret) -> Fut<Result<(), StoreError>> {
        local::put(&format!("{PREFIX}{name}"), secret.expose())
    }

    fn forget(&self, name: &str) -> Fut<Result<(), StoreError>> {
        local::remove(&format!("{PREFIX}{name}"))
    }

    fn clear(&self) -> Fut<Result<(), StoreError>> {
        local::clear(PREFIX)
    }
}
