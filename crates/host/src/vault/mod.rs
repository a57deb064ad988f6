//! The vault stores API keys in the way that the user chose. The vault uses local storage, session
//! storage and a cipher, which the browser or the simulator provides.
//!
//! Example: the user chooses a passphrase. The derived key is written to session storage,
//! and then one write to local storage replaces the plain keys with sealed ones. The text in local
//! storage always says how the keys are stored, so a worker that dies in between loses none.
//!
//! The passphrase itself is never stored. Unlocking stores the key that is derived from the
//! passphrase in session storage, which is emptied when the browser closes.

mod key_for_origin;
mod texts;

use super::{Cipher, KeyError, LocalStorage, Secret};
use futures::lock::Mutex;
use gloss_durable::{Store, StoreError};
use serde::{Deserialize, Serialize};
use std::rc::Rc;
use texts::{Header, Keys, LocalPart, SessionPart, StoredKey, damaged};

/// The name of the vault's text in local storage, and of its text in session storage.
const NAME: &str = "keys";
/// The number of rounds of PBKDF2 with SHA-256 that OWASP recommends (Password Storage Cheat Sheet,
/// 2023).
const ROUNDS: u32 = 600_000;
/// The text that is sealed to check a passphrase. The text itself has no meaning.
const CHECK: &str = "gloss";

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

/// The vault of keys. Clones share the same vault.
#[derive(Clone)]
pub struct Vault {
    local: Rc<dyn LocalStorage>,
    session: Rc<dyn Store>,
    cipher: Rc<dyn Cipher>,
    /// Locked during each access. Without the lock, a key that is stored while all keys are being
    /// moved could be lost.
    turn: Rc<Mutex<()>>,
}

impl Vault {
    /// Creates a vault. The texts in `local` outlast the browser session, those in `session` don't.
    pub fn new(
        local: Rc<dyn LocalStorage>,
        session: Rc<dyn Store>,
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
        let (mut local, mut session) = self.load().await?;
        let opens = local.opens(&session)?;
        let kept = self.kept(opens.as_ref(), name, origin, &key).await?;
        local.keys(&mut session).insert(name.to_owned(), kept);
        Ok(self.store_keys(&local, &session).await?)
    }

    /// Removes a key. A key can be removed while the keys are locked, too.
    ///
    /// # Errors
    /// Storage refuses, or the vault's text is damaged.
    pub async fn forget(&self, name: &str) -> Result<(), StoreError> {
        let _turn = self.turn.lock().await;
        let (mut local, mut session) = self.load().await?;
        local.keys(&mut session).remove(name);
        self.store_keys(&local, &session).await
    }

    /// Removes every key. If the user chose session storage, this choice is kept, so that new keys
    /// are not written to disk.
    ///
    /// # Errors
    /// Storage refuses.
    pub async fn forget_all(&self) -> Result<(), StoreError> {
        let _turn = self.turn.lock().await;
        let header = match self.load_local().await {
            Ok(LocalPart {
                header: Header::Session,
                ..
            }) => Header::Session,
            _ => Header::Device,
        };
        let emptied = LocalPart::new(header, Keys::new());
        self.store_local(&emptied).await?;
        self.session.put_text(NAME, String::new()).await
    }

    /// Removes every key and the header.
    ///
    /// # Errors
    /// Storage refuses.
    pub async fn clear(&self) -> Result<(), StoreError> {
        let _turn = self.turn.lock().await;
        self.local.remove(NAME).await?;
        self.session.put_text(NAME, String::new()).await
    }

    /// Returns the state of the vault.
    ///
    /// # Errors
    /// Storage refuses, or the vault's text is damaged.
    pub async fn holding(&self) -> Result<VaultState, StoreError> {
        let _turn = self.turn.lock().await;
        let (mut local, mut session) = self.load().await?;
        let locked = local.opens(&session).is_err();
        let given = local.keys(&mut session).iter();
        let given = given.map(|(name, kept)| (name.clone(), kept.origin.clone()));
        Ok(VaultState {
            given: given.collect(),
            keeping: local.keeping(),
            locked,
        })
    }

    /// Unlocks the keys with a passphrase, until the browser closes.
    ///
    /// # Errors
    /// Storage refuses, or the vault's text is damaged.
    pub async fn unlock(&self, passphrase: &Secret) -> Result<UnlockResult, StoreError> {
        let _turn = self.turn.lock().await;
        let local = self.load_local().await?;
        let Header::Sealed {
            rounds,
            salt,
            check,
        } = local.header
        else {
            return Ok(UnlockResult::Yes);
        };
        let opens = self.cipher.derive(passphrase, &salt, rounds).await?;
        if self.cipher.open(&opens, &check, NAME).await?.is_none() {
            return Ok(UnlockResult::Wrong);
        }
        let session = SessionPart {
            opens: Some((salt, opens.expose().to_owned())),
            ..SessionPart::default()
        };
        self.store_session(&session).await?;
        Ok(UnlockResult::Yes)
    }

    /// Locks the keys: the passphrase must be entered again.
    ///
    /// # Errors
    /// Storage refuses, or the vault's text is damaged.
    pub async fn lock(&self) -> Result<(), StoreError> {
        let _turn = self.turn.lock().await;
        match self.load_local().await?.header {
            Header::Sealed { .. } => self.session.put_text(NAME, String::new()).await,
            Header::Session | Header::Device => Ok(()),
        }
    }

    /// Moves every key to another storage or passphrase.
    ///
    /// # Errors
    /// The keys are locked, or storage refuses. The keys are then stored as before.
    pub async fn keep(&self, keeping: KeyStorage, passphrase: &Secret) -> Result<(), KeyError> {
        let _turn = self.turn.lock().await;
        let moved = self.move_all(keeping, passphrase).await;
        // The text in local storage decides which copies are removed, even if `moved` is an error.
        let swept = self.sweep().await;
        moved.and(swept.map_err(KeyError::from))
    }

    async fn move_all(&self, keeping: KeyStorage, passphrase: &Secret) -> Result<(), KeyError> {
        let (mut local, mut session) = self.load().await?;
        if local.keeping() == keeping && keeping != KeyStorage::Sealed {
            return Ok(());
        }
        let opened = local.opens(&session)?;
        let (header, opens) = self.header_for(keeping, passphrase).await?;
        let mut keys = Keys::new();
        for (name, kept) in local.keys(&mut session).clone() {
            let key = self.opened(opened.as_ref(), &name, &kept).await?;
            let moved = self.kept(opens.as_ref(), &name, &kept.origin, &key).await?;
            keys.insert(name, moved);
        }
        if let (Header::Sealed { salt, .. }, Some(opens)) = (&header, &opens) {
            session.opens = Some((salt.clone(), opens.expose().to_owned()));
        }
        if keeping == KeyStorage::Session {
            session.keys = std::mem::take(&mut keys);
        }
        self.store_session(&session).await?;
        Ok(self.store_local(&LocalPart::new(header, keys)).await?)
    }

    /// Creates a new header. For sealed keys, also returns the key that is derived from the
    /// passphrase.
    async fn header_for(
        &self,
        keeping: KeyStorage,
        passphrase: &Secret,
    ) -> Result<(Header, Option<Secret>), StoreError> {
        match keeping {
            KeyStorage::Session => Ok((Header::Session, None)),
            KeyStorage::Device => Ok((Header::Device, None)),
            KeyStorage::Sealed => {
                let (rounds, salt) = (ROUNDS, self.cipher.salt()?);
                let opens = self.cipher.derive(passphrase, &salt, rounds).await?;
                let check = Secret::new(CHECK);
                let check = self.cipher.seal(&opens, &check, NAME).await?;
                let header = Header::Sealed {
                    rounds,
                    salt,
                    check,
                };
                Ok((header, Some(opens)))
            }
        }
    }

    /// Removes the copies in session storage that a worker left behind when it died during a move.
    ///
    /// # Errors
    /// Storage refuses, or the vault's text is damaged.
    pub async fn settle(&self) -> Result<(), StoreError> {
        let _turn = self.turn.lock().await;
        self.sweep().await
    }

    async fn sweep(&self) -> Result<(), StoreError> {
        let local = self.load_local().await?;
        let session: SessionPart = self.load_session().await?;
        let mut left = session.clone();
        match &local.header {
            Header::Session => left.opens = None,
            Header::Device => left = SessionPart::default(),
            Header::Sealed { salt, .. } => {
                left.keys = Keys::new();
                left.opens.take_if(|(of, _)| of != salt);
            }
        }
        if left == session {
            return Ok(());
        }
        self.store_session(&left).await
    }

    /// Seals a key, so that it can be opened only with its name and origin. Otherwise someone who
    /// can change the storage could have a key sent to another server.
    async fn kept(
        &self,
        opens: Option<&Secret>,
        name: &str,
        origin: &str,
        key: &Secret,
    ) -> Result<StoredKey, StoreError> {
        let text = match opens {
            None => key.expose().to_owned(),
            Some(opens) => self.cipher.seal(opens, key, &about(name, origin)).await?,
        };
        let origin = origin.to_owned();
        Ok(StoredKey { origin, text })
    }

    async fn opened(
        &self,
        opens: Option<&Secret>,
        name: &str,
        StoredKey { origin, text }: &StoredKey,
    ) -> Result<Secret, StoreError> {
        let Some(opens) = opens else {
            return Ok(Secret::new(text));
        };
        let key = self.cipher.open(opens, text, &about(name, origin)).await?;
        key.ok_or_else(|| damaged("a sealed key"))
    }
}

fn about(name: &str, origin: &str) -> String {
    format!("{name} {origin}")
}
