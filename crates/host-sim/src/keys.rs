//! The keys that the simulated storage contains, and a cipher without real encryption.

use super::Sim;
use gloss_durable::{Fut, StoreError};
use gloss_host::{Cipher, Secret};

/// A cipher that reverses the text and puts the key's name before it.
impl Cipher for Sim {
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

impl Sim {
    fn answer<T: 'static>(&self, answer: T) -> Fut<Result<T, StoreError>> {
        self.queue.local(0, || Ok(answer))
    }

    /// The names of the stored keys, both plain and sealed.
    pub fn key_names(&self) -> Vec<String> {
        let vault = self.host().secrets;
        let held = self.life(u64::MAX, async move { vault.holding().await });
        let given = held.and_then(Result::ok).unwrap_or_default().given;
        given.into_iter().map(|(name, _)| name).collect()
    }

    /// The texts with the keys, in local storage and in session storage.
    pub fn key_texts(&self) -> [String; 2] {
        let disk = self.disk.borrow();
        let texts = [disk.local_storage.get("keys"), disk.notes.get("keys")];
        texts.map(|text| text.cloned().unwrap_or_default())
    }
}
