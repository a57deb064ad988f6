//! The vault's header: a text that says how the keys are stored. The header also contains the data
//! with which a passphrase is checked.
//!
//! The header is a single text, such as `1 sealed 600000 <salt> <check>`, so that one write changes
//! the whole header. The stored name of a sealed key contains the salt. Keys that are sealed with a
//! new passphrase therefore don't overwrite the keys that are sealed with the old one.

use super::{KeyStorage, LABEL, Secret, Texts};
use gloss_durable::StoreError;

/// The version of the header. The version must be raised if older versions of Gloss would misread a
/// new header.
const VERSION: &str = "1";

pub(super) enum VaultHeader {
    Session,
    Device,
    Sealed {
        /// The number of rounds of the key derivation.
        rounds: u32,
        /// The salt of the key derivation. The stored names of the keys contain the salt too.
        salt: String,
        /// A sealed text, which can be decrypted only with the right passphrase.
        check: String,
    },
}

impl VaultHeader {
    /// Reads the header from the texts in local storage. If there is no header, the keys are in
    /// local storage in plain text.
    pub(super) fn of(local: &Texts) -> Result<Self, StoreError> {
        let Some(text) = local.get(LABEL) else {
            return Ok(Self::Device);
        };
        let words: Vec<&str> = text.split(' ').collect();
        let label = match words[..] {
            [VERSION, "session"] => Some(Self::Session),
            [VERSION, "device"] => Some(Self::Device),
            [VERSION, "sealed", rounds, salt, check] => rounds.parse().ok().map(|rounds| {
                let [salt, check] = [salt, check].map(str::to_owned);
                Self::Sealed {
                    rounds,
                    salt,
                    check,
                }
            }),
            _ => None,
        };
        label.ok_or_else(|| damaged("where the keys are kept"))
    }

    pub(super) fn text(&self) -> String {
        match self {
            Self::Session => format!("{VERSION} session"),
            Self::Device => format!("{VERSION} device"),
            Self::Sealed {
                rounds,
                salt,
                check,
            } => format!("{VERSION} sealed {rounds} {salt} {check}"),
        }
    }

    pub(super) fn keeping(&self) -> KeyStorage {
        match self {
            Self::Session => KeyStorage::Session,
            Self::Device => KeyStorage::Device,
            Self::Sealed { .. } => KeyStorage::Sealed,
        }
    }

    /// Returns the name under which the key `name` is stored.
    pub(super) fn name_of(&self, name: &str) -> String {
        match self {
            Self::Session | Self::Device => name.to_owned(),
            Self::Sealed { salt, .. } => format!("{salt}/{name}"),
        }
    }

    /// Returns true if a name in local storage belongs to the vault with this header.
    pub(super) fn is_local(&self, kept: &str) -> bool {
        kept == LABEL
            || match self {
                Self::Session => false,
                Self::Device => own_name(kept).is_none(),
                Self::Sealed { salt, .. } => kept.split_once('/').is_some_and(|(of, _)| of == salt),
            }
    }

    /// Returns true if a name in session storage belongs to the vault with this header.
    pub(super) fn is_session(&self, kept: &str) -> bool {
        match self {
            Self::Session => kept != LABEL,
            Self::Device => false,
            Self::Sealed { .. } => kept == LABEL,
        }
    }

    /// Returns the keys that belong to this header: the name, origin and stored text of each.
    pub(super) fn own(&self, local: &Texts, session: &Texts) -> Vec<(String, String, String)> {
        let texts = match self {
            Self::Session => session,
            Self::Device | Self::Sealed { .. } => local,
        };
        let own = texts.iter().filter(|(kept, _)| {
            let is_its = match self {
                Self::Session => self.is_session(kept),
                Self::Device | Self::Sealed { .. } => self.is_local(kept),
            };
            is_its && *kept != LABEL
        });
        let part = |(kept, text): &(String, String)| {
            let (origin, key) = text.split_once(' ')?;
            let name = own_name(kept).unwrap_or(kept);
            Some((name.to_owned(), origin.to_owned(), key.to_owned()))
        };
        own.filter_map(part).collect()
    }
}

/// Returns the name of a sealed key: `<salt>/name` -> `name`. Returns `None` if the key isn't
/// sealed.
pub(super) fn own_name(kept: &str) -> Option<&str> {
    kept.split_once('/').map(|(_, name)| name)
}

/// Returns the derived key for this salt, if session storage contains it.
pub(super) fn derived_key(session: &Texts, salt: &str) -> Option<Secret> {
    let (of, opens) = session.get(LABEL)?.split_once(' ')?;
    (of == salt).then(|| Secret::new(opens))
}

pub(super) fn damaged(what: &str) -> StoreError {
    StoreError::Corrupt {
        message: what.to_owned(),
    }
}
