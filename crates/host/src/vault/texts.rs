//! The vault's two texts, one in local storage and one in session storage.

use super::{KeyStorage, NAME, Vault};
use crate::{KeyError, Secret};
use gloss_durable::sorted::SortedMap;
use gloss_durable::{StoreError, json};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The version of the texts. The version must be raised if older versions of Gloss would misread a
/// new text.
const VERSION: u8 = 1;

/// The stored keys, by name.
pub(super) type Keys = SortedMap<String, StoredKey>;

#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct StoredKey {
    pub(super) origin: String,
    /// The key, in plain text or sealed.
    pub(super) text: String,
}

/// The way in which the keys are stored.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Header {
    Session,
    #[default]
    Device,
    Sealed {
        /// The number of rounds of the key derivation.
        rounds: u32,
        /// The salt of the key derivation.
        salt: String,
        /// A sealed text, which can be decrypted only with the right passphrase.
        check: String,
    },
}

/// The vault's text in local storage. It is a single text, so that one write changes all of it.
#[derive(Serialize, Deserialize)]
pub(super) struct LocalPart {
    pub(super) version: u8,
    pub(super) header: Header,
    pub(super) keys: Keys,
}

/// The vault's text in session storage.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct SessionPart {
    /// The salt, and the key that is derived with it from the passphrase.
    pub(super) opens: Option<(String, String)>,
    pub(super) keys: Keys,
}

impl LocalPart {
    pub(super) fn new(header: Header, keys: Keys) -> Self {
        let version = VERSION;
        Self {
            version,
            header,
            keys,
        }
    }

    pub(super) fn keeping(&self) -> KeyStorage {
        match self.header {
            Header::Session => KeyStorage::Session,
            Header::Device => KeyStorage::Device,
            Header::Sealed { .. } => KeyStorage::Sealed,
        }
    }

    /// Returns the keys that are valid.
    pub(super) fn keys<'a>(&'a mut self, session: &'a mut SessionPart) -> &'a mut Keys {
        match self.header {
            Header::Session => &mut session.keys,
            Header::Device | Header::Sealed { .. } => &mut self.keys,
        }
    }

    /// Returns the derived key that opens the sealed keys; `None` if the keys aren't sealed.
    pub(super) fn opens(&self, session: &SessionPart) -> Result<Option<Secret>, KeyError> {
        let Header::Sealed { salt, .. } = &self.header else {
            return Ok(None);
        };
        let opens = session.opens.as_ref().filter(|(of, _)| of == salt);
        let opens = opens.map(|(_, opens)| Secret::new(opens));
        opens.map(Some).ok_or(KeyError::Locked)
    }
}

impl Vault {
    /// Reads both texts. Session storage isn't read if it has no part in the way that was chosen.
    pub(super) async fn load(&self) -> Result<(LocalPart, SessionPart), StoreError> {
        let local = self.load_local().await?;
        let session = match local.header {
            Header::Device => SessionPart::default(),
            Header::Session | Header::Sealed { .. } => self.load_session().await?,
        };
        Ok((local, session))
    }

    /// Reads the text in local storage. If there is none, keys are stored there in plain text.
    pub(super) async fn load_local(&self) -> Result<LocalPart, StoreError> {
        let Some(text) = self.local.get(NAME).await? else {
            return Ok(LocalPart::new(Header::default(), Keys::new()));
        };
        let read: LocalPart = read(&text)?;
        Some(read)
            .filter(|read| read.version == VERSION)
            .ok_or_else(|| damaged("the stored keys"))
    }

    pub(super) async fn load_session(&self) -> Result<SessionPart, StoreError> {
        match self.session.text(NAME).await? {
            Some(text) => read(&text),
            None => Ok(SessionPart::default()),
        }
    }

    pub(super) async fn store_keys(
        &self,
        local: &LocalPart,
        session: &SessionPart,
    ) -> Result<(), StoreError> {
        match local.header {
            Header::Session => self.store_session(session).await,
            Header::Device | Header::Sealed { .. } => self.store_local(local).await,
        }
    }

    pub(super) async fn store_local(&self, local: &LocalPart) -> Result<(), StoreError> {
        self.local.put(NAME, text(local)?).await
    }

    pub(super) async fn store_session(&self, session: &SessionPart) -> Result<(), StoreError> {
        self.session.put_text(NAME, text(session)?).await
    }
}

fn text(part: &impl Serialize) -> Result<String, StoreError> {
    json::text(part).map_err(|_| damaged("the keys"))
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, StoreError> {
    json::parse(text).map_err(|_| damaged("the stored keys"))
}

pub(super) fn damaged(what: &str) -> StoreError {
    StoreError::Corrupt {
        message: what.to_owned(),
    }
}
