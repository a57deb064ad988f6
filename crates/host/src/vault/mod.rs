//! The vault stores API keys in the way that the user chose. The vault uses two storage areas (the
//! "drawers") and a cipher, which the browser or the simulator provides.
//!
//! Driving example: the user chooses a passphrase. First every key is stored sealed, then the
//! header is written, and then the plain keys are removed. If the worker dies in between, the
//! header in storage says which copies are valid. The next life removes the other copies.
//!
//! The passphrase itself is never stored. Unlocking stores the key that is derived from the
//! passphrase in session storage, which is emptied when the browser closes.

mod header;
mod key_for_origin;
mod sealing;

use super::{Cipher, KeyError, KeyStorageArea, Secret};
use futures::lock::Mutex;
use gloss_durable::StoreError;
use gloss_durable::sorted::SortedMap;
use header::VaultHeader;
use sealing::{opened, sealed};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// The name of the header in local storage, and of the derived key in session storage. No API key
/// has this name, because their names consist of letters, digits and `-`.
const LABEL: &str = ".";

/// The storage area of the keys. For keys on this device, the variant also says if they are sealed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyStorage {
    /// Keys are in session storage, until the browser closes.
    Session,
    /// Keys are on this device, in plain text.
    #[default]
    Device,
    /// Keys are on this device, sealed with a passphrase.
    Sealed,
}

/// The state of the vault. It contains no keys.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VaultState {
    /// The way in which the keys are stored.
    pub keeping: KeyStorage,
    /// True if the user must enter the passphrase before a key can be read.
    pub locked: bool,
    /// The name of each key, with the origin for which it is stored.
    pub given: Vec<(String, String)>,
}

/// The result of entering a passphrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnlockResult {
    /// The keys can be read until the browser closes.
    Yes,
    /// The passphrase is wrong.
    Wrong,
}

type Texts = SortedMap<String, String>;

/// The vault of keys. Clones share the same vault.
#[derive(Clone)]
pub struct Vault {
    local: Rc<dyn KeyStorageArea>,
    session: Rc<dyn KeyStorageArea>,
    cipher: Rc<dyn Cipher>,
    /// Locked during each access. Without the lock, a key that is stored while all keys are being
    /// moved could be lost.
    turn: Rc<Mutex<()>>,
}

impl Vault {
    /// Creates a vault. The texts in `local` outlast the browser session, those in `session` don't.
    pub fn new(
        local: Rc<dyn KeyStorageArea>,
        session: Rc<dyn KeyStorageArea>,
        cipher: Rc<dyn Cipher>,
    ) -> Self {
        Self {
            local,
            session,
            cipher,
            turn: Rc::default(),
        }
    }

    /// Stores a key for an origin, in place of the previous key with this name.
    ///
    /// # Errors
    /// The keys are locked, or storage refuses.
    pub async fn put(&self, name: &str, origin: &str, key: Secret) -> Result<(), KeyError> {
        let _turn = self.turn.lock().await;
        let label = VaultHeader::of(&self.local.all().await?)?;
        let opens = match &label {
            VaultHeader::Session | VaultHeader::Device => None,
            VaultHeader::Sealed { salt, .. } => Some(self.opens(salt).await?),
        };
        self.write(&label, opens.as_ref(), name, origin, &key).await
    }

    /// Removes a key. A key can be removed while the keys are locked, too.
    ///
    /// # Errors
    /// Storage refuses.
    pub async fn forget(&self, name: &str) -> Result<(), StoreError> {
        let _turn = self.turn.lock().await;
        // The key is removed from both storage areas. A worker that died may have left copies in
        // either.
        let is_its = |kept: &String| kept == name || header::own_name(kept) == Some(name);
        for drawer in [&self.local, &self.session] {
            let names = drawer.all().await?.into_keys().filter(is_its).collect();
            remove(&**drawer, names).await?;
        }
        Ok(())
    }

    /// Removes every key. If the user chose session storage, this choice is kept, so that new keys
    /// are not written to disk.
    ///
    /// # Errors
    /// Storage refuses.
    pub async fn forget_all(&self) -> Result<(), StoreError> {
        let _turn = self.turn.lock().await;
        let label = VaultHeader::of(&self.local.all().await?);
        let stays = matches!(label, Ok(VaultHeader::Session));
        for drawer in [&self.local, &self.session] {
            let names = drawer.all().await?.into_keys();
            let names = names.filter(|name| !(stays && name == LABEL)).collect();
            remove(&**drawer, names).await?;
        }
        Ok(())
    }

    /// Removes every key and the header.
    ///
    /// # Errors
    /// Storage refuses.
    pub async fn clear(&self) -> Result<(), StoreError> {
        let _turn = self.turn.lock().await;
        for drawer in [&self.local, &self.session] {
            let names = drawer.all().await?.into_keys().collect();
            remove(&**drawer, names).await?;
        }
        Ok(())
    }

    /// Returns the state of the vault.
    ///
    /// # Errors
    /// Storage refuses, or the header is damaged.
    pub async fn holding(&self) -> Result<VaultState, StoreError> {
        let _turn = self.turn.lock().await;
        let local = self.local.all().await?;
        let label = VaultHeader::of(&local)?;
        let session = match label {
            VaultHeader::Device => Texts::new(),
            VaultHeader::Session | VaultHeader::Sealed { .. } => self.session.all().await?,
        };
        let locked = match &label {
            VaultHeader::Session | VaultHeader::Device => false,
            VaultHeader::Sealed { salt, .. } => header::derived_key(&session, salt).is_none(),
        };
        let given = label.own(&local, &session).into_iter();
        let given = given.map(|(name, origin, _)| (name, origin));
        Ok(VaultState {
            keeping: label.keeping(),
            locked,
            given: given.collect(),
        })
    }

    /// Unlocks the keys with a passphrase, until the browser closes.
    ///
    /// # Errors
    /// Storage refuses, or the header is damaged.
    pub async fn unlock(&self, passphrase: &Secret) -> Result<UnlockResult, StoreError> {
        let _turn = self.turn.lock().await;
        let label = VaultHeader::of(&self.local.all().await?)?;
        let VaultHeader::Sealed {
            rounds,
            salt,
            check,
        } = label
        else {
            return Ok(UnlockResult::Yes);
        };
        let opens = self.cipher.derive(passphrase, &salt, rounds).await?;
        if self.cipher.open(&opens, &check, LABEL).await?.is_none() {
            return Ok(UnlockResult::Wrong);
        }
        self.leave_open(&salt, &opens).await?;
        Ok(UnlockResult::Yes)
    }

    /// Locks the keys: the passphrase must be entered again.
    ///
    /// # Errors
    /// Storage refuses, or the header is damaged.
    pub async fn lock(&self) -> Result<(), StoreError> {
        let _turn = self.turn.lock().await;
        let label = VaultHeader::of(&self.local.all().await?)?;
        match label {
            // If the keys are sealed, the text with this name in session storage is the derived
            // key.
            VaultHeader::Sealed { .. } => remove(&*self.session, vec![LABEL.to_owned()]).await,
            VaultHeader::Session | VaultHeader::Device => Ok(()),
        }
    }

    /// Moves every key to another storage or passphrase. The keys are stored in the new way first,
    /// then the header is written, and then the old copies are removed.
    ///
    /// # Errors
    /// The keys are locked, or storage refuses. The keys are then stored as before.
    pub async fn keep(&self, keeping: KeyStorage, passphrase: &Secret) -> Result<(), KeyError> {
        let _turn = self.turn.lock().await;
        let moved = self.move_all(keeping, passphrase).await;
        // The header in storage decides which copies are removed, even if `moved` is an error.
        let swept = self.sweep().await;
        moved.and(swept.map_err(KeyError::from))
    }

    async fn move_all(&self, keeping: KeyStorage, passphrase: &Secret) -> Result<(), KeyError> {
        let local = self.local.all().await?;
        let from = VaultHeader::of(&local)?;
        if from.keeping() == keeping && keeping != KeyStorage::Sealed {
            return Ok(());
        }
        let session = self.session.all().await?;
        let opens = match &from {
            VaultHeader::Session | VaultHeader::Device => None,
            VaultHeader::Sealed { salt, .. } => {
                Some(header::derived_key(&session, salt).ok_or(KeyError::Locked)?)
            }
        };
        let mut keys = Vec::new();
        for (name, origin, text) in from.own(&local, &session) {
            let key = match &opens {
                None => Secret::new(&text),
                Some(opens) => opened(&*self.cipher, opens, &text, &name, &origin).await?,
            };
            keys.push((name, origin, key));
        }
        let (to, opens) = sealing::label_for(&*self.cipher, keeping, passphrase).await?;
        if let (VaultHeader::Sealed { salt, .. }, Some(opens)) = (&to, &opens) {
            self.leave_open(salt, opens).await?;
        }
        for (name, origin, key) in &keys {
            self.write(&to, opens.as_ref(), name, origin, key).await?;
        }
        Ok(self.local.put(LABEL, &to.text()).await?)
    }

    /// Removes the copies of keys that a worker left behind when it died during a move.
    ///
    /// # Errors
    /// Storage refuses, or the header is damaged.
    pub async fn settle(&self) -> Result<(), StoreError> {
        let _turn = self.turn.lock().await;
        self.sweep().await
    }

    async fn sweep(&self) -> Result<(), StoreError> {
        let (local, session) = (self.local.all().await?, self.session.all().await?);
        let label = VaultHeader::of(&local)?;
        let stray = local.keys().filter(|name| !label.is_local(name));
        remove(&*self.local, stray.cloned().collect()).await?;
        let stray = session.keys().filter(|name| !label.is_session(name));
        remove(&*self.session, stray.cloned().collect()).await
    }

    /// Returns the derived key for this salt, if session storage contains it.
    async fn opens(&self, salt: &str) -> Result<Secret, KeyError> {
        let session = self.session.all().await?;
        header::derived_key(&session, salt).ok_or(KeyError::Locked)
    }

    async fn leave_open(&self, salt: &str, opens: &Secret) -> Result<(), StoreError> {
        let text = format!("{salt} {}", opens.expose());
        self.session.put(LABEL, &text).await
    }

    async fn write(
        &self,
        label: &VaultHeader,
        opens: Option<&Secret>,
        name: &str,
        origin: &str,
        key: &Secret,
    ) -> Result<(), KeyError> {
        let text = match opens {
            None => key.expose().to_owned(),
            Some(opens) => sealed(&*self.cipher, opens, key, name, origin).await?,
        };
        let drawer = match label {
            VaultHeader::Session => &self.session,
            VaultHeader::Device | VaultHeader::Sealed { .. } => &self.local,
        };
        // The text begins with the origin and a space. An origin contains no space, so the first
        // space ends the origin.
        let text = format!("{origin} {text}");
        Ok(drawer.put(&label.name_of(name), &text).await?)
    }
}

async fn remove(drawer: &dyn KeyStorageArea, names: Vec<String>) -> Result<(), StoreError> {
    if names.is_empty() {
        return Ok(());
    }
    drawer.remove(names).await
}
