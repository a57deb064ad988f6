//! The simulated storage areas for API keys, and a cipher without real encryption.

use super::disk::{Disk, SimStore};
use super::queue::{Kind, NotBefore, Queue};
use gloss_durable::sorted::SortedMap;
use gloss_durable::{Fut, StoreError};
use gloss_host::{Cipher, KeyStorageArea, Secret};
use std::cell::Cell;
use std::rc::Rc;

#[derive(Clone, Copy)]
pub(super) enum Area {
    Local,
    Session,
}

/// One of the two storage areas for API keys.
pub(super) struct SimDrawer {
    pub(super) store: Rc<SimStore>,
    pub(super) area: Area,
}

impl SimDrawer {
    fn write(
        &self,
        change: impl FnOnce(&mut SortedMap<String, String>) + 'static,
    ) -> Fut<Result<(), StoreError>> {
        let area = self.area;
        let kind = match area {
            Area::Local => Kind::Write("keys"),
            Area::Session => Kind::Write("keys of the session"),
        };
        self.store.issue(kind, move |disk| {
            disk.readable()?;
            change(texts(disk, area));
            Ok(())
        })
    }
}

fn texts(disk: &mut Disk, area: Area) -> &mut SortedMap<String, String> {
    match area {
        Area::Local => &mut disk.keys,
        Area::Session => &mut disk.session_keys,
    }
}

impl KeyStorageArea for SimDrawer {
    fn all(&self) -> Fut<Result<SortedMap<String, String>, StoreError>> {
        let area = self.area;
        self.store.issue(Kind::Local, move |disk| {
            disk.readable()?;
            Ok(texts(disk, area).clone())
        })
    }

    fn put(&self, name: &str, text: &str) -> Fut<Result<(), StoreError>> {
        let (name, text) = (name.to_owned(), text.to_owned());
        self.write(move |texts| {
            texts.insert(name, text);
        })
    }

    fn remove(&self, names: Vec<String>) -> Fut<Result<(), StoreError>> {
        self.write(move |texts| texts.retain(|name, _| !names.contains(name)))
    }
}

/// A cipher that reverses the text, and puts the encryption key and `about` before it.
pub(super) struct SimCipher {
    pub(super) queue: Rc<Queue>,
    pub(super) salts: Rc<Cell<u64>>,
}

impl SimCipher {
    fn answer<T: 'static>(&self, answer: T) -> Fut<Result<T, StoreError>> {
        self.queue
            .issue(Kind::Local, NotBefore::default(), || Ok(answer))
    }
}

impl Cipher for SimCipher {
    fn salt(&self) -> Result<String, StoreError> {
        self.salts.set(self.salts.get() + 1);
        Ok(format!("{:08x}", self.salts.get()))
    }

    fn derive(
        &self,
        passphrase: &Secret,
        salt: &str,
        rounds: u32,
    ) -> Fut<Result<Secret, StoreError>> {
        let passphrase = turned(passphrase.expose()).replace(' ', "+");
        self.answer(Secret::new(&format!("{salt}-{rounds}-{passphrase}")))
    }

    fn seal(&self, key: &Secret, text: &Secret, about: &str) -> Fut<Result<String, StoreError>> {
        let text = turned(text.expose());
        self.answer(seal_of(key, about) + &text)
    }

    fn open(
        &self,
        key: &Secret,
        sealed: &str,
        about: &str,
    ) -> Fut<Result<Option<Secret>, StoreError>> {
        let text = sealed.strip_prefix(&seal_of(key, about));
        self.answer(text.map(|text| Secret::new(&turned(text))))
    }
}

fn seal_of(key: &Secret, about: &str) -> String {
    let about = about.replace(' ', "+");
    format!("{}|{about}|", key.expose())
}

fn turned(text: &str) -> String {
    text.chars().rev().collect()
}

impl super::Sim {
    /// Returns the storage area for API keys in local storage.
    pub fn drawer(&self) -> Rc<dyn KeyStorageArea> {
        let store = Rc::new(SimStore {
            queue: self.queue.clone(),
            disk: self.disk.clone(),
        });
        let area = Area::Local;
        Rc::new(SimDrawer { store, area })
    }

    /// Returns the names of the API keys in local storage, both plain and encrypted.
    pub fn key_names(&self) -> Vec<String> {
        let disk = self.disk.borrow();
        let own = disk.keys.keys().filter(|name| *name != ".");
        own.cloned().collect()
    }

    /// Returns the stored texts of API keys, in local storage and in session storage.
    pub fn key_texts(&self) -> [SortedMap<String, String>; 2] {
        let disk = self.disk.borrow();
        [disk.keys.clone(), disk.session_keys.clone()]
    }
}
