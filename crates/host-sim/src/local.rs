//! The simulated local storage, which outlasts the browser session.

use super::Sim;
use super::queue::Kind;
use gloss_durable::{Fut, StoreError};
use gloss_host::LocalStorage;

const SETTINGS: Kind = Kind::Write("settings");

impl LocalStorage for Sim {
    fn get(&self, name: &str) -> Fut<Result<Option<String>, StoreError>> {
        let name = name.to_owned();
        self.store(Kind::Local, move |disk| {
            disk.readable()?;
            Ok(disk.local_storage.get(&name).cloned())
        })
    }

    fn put(&self, name: &str, text: String) -> Fut<Result<(), StoreError>> {
        let name = name.to_owned();
        self.store(SETTINGS, move |disk| {
            disk.readable()?;
            disk.local_storage.insert(name, text);
            Ok(())
        })
    }

    fn remove(&self, name: &str) -> Fut<Result<(), StoreError>> {
        let name = name.to_owned();
        self.store(SETTINGS, move |disk| {
            disk.readable()?;
            disk.local_storage.remove(&name);
            Ok(())
        })
    }

    fn clear(&self) -> Fut<Result<(), StoreError>> {
        self.store(SETTINGS, |disk| {
            disk.readable()?;
            disk.local_storage.clear();
            Ok(())
        })
    }
}
