//! Reads a key. A key is returned only to code that will send it to the key's own origin.

use super::Vault;
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
        let (mut local, mut session) = self.load().await?;
        let kept = local.keys(&mut session).get(name).cloned();
        let Some(kept) = kept.filter(|kept| kept.origin == origin) else {
            return Ok(None);
        };
        let opens = local.opens(&session)?;
        Ok(Some(self.opened(opens.as_ref(), name, &kept).await?))
    }
}
