//! [`Secrets`] on `chrome.storage.local`, under `k/`: on this device, never synced.
//! A key stands behind its origin and a space, in one text: neither lands alone.

use super::super::{Fut, Secret, Secrets, StoreError};
use super::local;

const PREFIX: &str = "k/";

/// Keys, in local storage.
pub(super) struct LocalSecrets;

impl Secrets for LocalSecrets {
    fn get(&self, name: &str, origin: &str) -> Fut<Result<Option<Secret>, StoreError>> {
        let read = local::get(format!("{PREFIX}{name}"));
        let origin = origin.to_owned();
        Box::pin(async move { Ok(read.await?.and_then(|text| given_for(&origin, &text))) })
    }

    fn put(&self, name: &str, origin: &str, secret: Secret) -> Fut<Result<(), StoreError>> {
        // Origins hold no space.
        let text = format!("{origin} {}", secret.expose());
        local::put(&format!("{PREFIX}{name}"), &text)
    }

    fn forget(&self, name: &str) -> Fut<Result<(), StoreError>> {
        local::remove(&format!("{PREFIX}{name}"))
    }

    fn clear(&self) -> Fut<Result<(), StoreError>> {
        local::clear(PREFIX)
    }
}

/// The key of a stored text, if it was given for this origin.
fn given_for(origin: &str, text: &str) -> Option<Secret> {
    let (own, key) = text.split_once(' ')?;
    (own == origin).then(|| Secret::new(key))
}
