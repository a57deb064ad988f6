//! What survives the browser: settings and keys.

use super::disk::SimStore;
use super::queue::Kind;
use crate::host::{Fut, Secret, Secrets, Shelf, StoreError};

const SETTINGS: Kind = Kind::Write("settings");
const KEYS: Kind = Kind::Write("keys");

impl Shelf for SimStore {
    fn get(&self, name: &str) -> Fut<Result<Option<String>, StoreError>> {
        let name = name.to_owned();
        self.issue(Kind::Local, move |disk| {
            disk.readable()?;
            Ok(disk.shelf.get(&name).cloned())
        })
    }

    fn put(&self, name: &str, text: String) -> Fut<Result<(), StoreError>> {
        let name = name.to_owned();
        self.issue(SETTINGS, move |disk| {
            disk.readable()?;
            disk.shelf.insert(name, text);
            Ok(())
        })
    }

    fn remove(&self, name: &str) -> Fut<Result<(), StoreError>> {
        let name = name.to_owned();
        self.issue(SETTINGS, move |disk| {
            disk.readable()?;
            disk.shelf.remove(&name);
            Ok(())
        })
    }

    fn clear(&self) -> Fut<Result<(), StoreError>> {
        self.issue(SETTINGS, |disk| {
            disk.readable()?;
            disk.shelf.clear();
            Ok(())
        })
    }
}

impl Secrets for SimStore {
    fn get(&self, name: &str, origin: &str) -> Fut<Result<Option<Secret>, StoreError>> {
        let (name, origin) = (name.to_owned(), origin.to_owned());
        self.issue(Kind::Local, move |disk| {
            disk.readable()?;
            let kept = disk.secrets.get(&name);
            let own = kept.filter(|(given_for, _)| *given_for == origin);
            Ok(own.map(|(_, secret)| secret.clone()))
        })
    }

    fn put(&self, name: &str, origin: &str, secret: Secret) -> Fut<Result<(), StoreError>> {
        let (name, origin) = (name.to_owned(), origin.to_owned());
        self.issue(KEYS, move |disk| {
            disk.readable()?;
            disk.secrets.insert(name, (origin, secret));
            Ok(())
        })
    }

    fn forget(&self, name: &str) -> Fut<Result<(), StoreError>> {
        let name = name.to_owned();
        self.issue(KEYS, move |disk| {
            disk.readable()?;
            disk.secrets.remove(&name);
            Ok(())
        })
    }

    fn clear(&self) -> Fut<Result<(), StoreError>> {
        self.issue(KEYS, |disk| {
            disk.readable()?;
            disk.secrets.clear();
            Ok(())
        })
    }
}
