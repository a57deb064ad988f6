//! Seals keys with a passphrase, and opens them.

use super::header::{VaultHeader, damaged};
use super::{KeyStorage, LABEL};
use crate::{Cipher, Secret};
use gloss_durable::StoreError;

/// The number of rounds of PBKDF2 with SHA-256 that OWASP recommends (Password Storage Cheat Sheet,
/// 2023).
const ROUNDS: u32 = 600_000;
/// The text that is sealed to check a passphrase. The text itself has no meaning.
const CHECK: &str = "gloss";

/// Creates a new header. For sealed keys, also returns the key that is derived from the passphrase.
pub(super) async fn label_for(
    cipher: &dyn Cipher,
    keeping: KeyStorage,
    passphrase: &Secret,
) -> Result<(VaultHeader, Option<Secret>), StoreError> {
    match keeping {
        KeyStorage::Session => Ok((VaultHeader::Session, None)),
        KeyStorage::Device => Ok((VaultHeader::Device, None)),
        KeyStorage::Sealed => {
            let salt = cipher.salt()?;
            let opens = cipher.derive(passphrase, &salt, ROUNDS).await?;
            let check = cipher.seal(&opens, &Secret::new(CHECK), LABEL).await?;
            let label = VaultHeader::Sealed {
                rounds: ROUNDS,
                salt,
                check,
            };
            Ok((label, Some(opens)))
        }
    }
}

/// Seals a key, so that it can be opened only with its name and origin. Otherwise someone who can
/// change the storage area could have a key sent to another server.
pub(super) async fn sealed(
    cipher: &dyn Cipher,
    opens: &Secret,
    key: &Secret,
    name: &str,
    origin: &str,
) -> Result<String, StoreError> {
    cipher.seal(opens, key, &about(name, origin)).await
}

pub(super) async fn opened(
    cipher: &dyn Cipher,
    opens: &Secret,
    sealed: &str,
    name: &str,
    origin: &str,
) -> Result<Secret, StoreError> {
    let key = cipher.open(opens, sealed, &about(name, origin)).await?;
    key.ok_or_else(|| damaged("a sealed key"))
}

fn about(name: &str, origin: &str) -> String {
    format!("{name} {origin}")
}
