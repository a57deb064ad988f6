//! Reads a key. A key is returned only to code that will send it to the key's own origin.

use super::Vault;
use super::header::VaultHeader;
use super::sealing::opened;
use crate::{KeyError, Secret, Secrets};
use gloss_durable::Fut;

impl Secrets for Vault {
    fn get(&self, name: &str, origin: &str) -> Fut<Result<Option<Secret>, KeyError>> {
        let (this, name, origin) = (self.clone(), name.to_owned(), origin.to_owned());
        Box::pin(async move { this.read(&name, &origin).await })
    }
}

impl Vault {
    /// Returns the key with this name, if it was stored for this origin.
    async fn read(&self, name: &str, origin: &str) -> Result<Option<Secret>, KeyError> {
        let _turn = self.turn.lock().await;
        let local = self.local.all().await?;
        let label = VaultHeader::of(&local)?;
        let kept = match label {
            VaultHeader::Session => self.session.all().await?.remove(name),
            VaultHeader::Device | VaultHeader::Sealed { .. } => {
                local.get(&label.name_of(name)).cloned()
            }
        };
        let given = kept.as_deref().and_then(|text| text.split_once(' '));
        let Some((_, key)) = given.filter(|(given_for, _)| *given_for == origin) else {
            return Ok(None);
        };
        match label {
            VaultHeader::Session | VaultHeader::Device => Ok(Some(Secret::new(key))),
            VaultHeader::Sealed { salt, .. } => {
                let opens = self.opens(&salt).await?;
                let key = opened(&*self.cipher, &opens, key, name, origin).await?;
                Ok(Some(key))
            }
        }
    }
}
