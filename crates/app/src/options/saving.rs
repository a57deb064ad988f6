//! Performs the requests of the *Save* buttons. A profile or a search provider is stored together
//! with its key.

use super::super::preferences::{FieldName, TypedServer, origin_of, problems};
use super::TypedKey;
use super::rejection::Rejection;
use super::search::read_server;
use super::service::OptionsService;
use gloss_host::Secret;
use gloss_model::Profile;
use gloss_model::phrase::phrase;
use gloss_web::search::{self, ProviderKind};

impl OptionsService {
    /// Stores a profile. If the user typed a key, the key is stored after the profile.
    pub(super) async fn save(&self, profile: Profile, key: &TypedKey) -> Result<(), Rejection> {
        let mut problems = problems(&profile);
        problems.extend(key.problem(FieldName::Key));
        self.check_unlocked(key, FieldName::Key).await?;
        if !problems.is_empty() {
            return Err(Rejection::Refused(problems));
        }
        let mut next = self.kept.now();
        let (id, base_url) = (profile.id.clone(), profile.base_url.clone());
        // The first server that the user connects becomes the default model for answers.
        if next.profiles.is_empty() {
            next.answers = Some(id.clone());
        }
        next.put_profile(profile);
        self.set(next).await?;
        self.put_key(&id, &base_url, key).await
    }

    /// Stores a search provider's settings. If the user typed a key, the key is stored after the
    /// settings.
    pub(super) async fn save_search(
        &self,
        engine: ProviderKind,
        server: &TypedServer,
        key: &TypedKey,
    ) -> Result<(), Rejection> {
        let server = read_server(engine, server, key).map_err(Rejection::Refused)?;
        self.check_unlocked(key, FieldName::SearchKey).await?;
        let mut next = self.kept.now();
        let base_url = server.base_url.clone();
        if server == search::Server::of(engine) {
            next.search.servers.remove(&engine);
        } else {
            next.search.servers.insert(engine, server);
        }
        self.set(next).await?;
        self.put_key(engine.key_name(), &base_url, key).await
    }

    /// Returns a rejection if the user typed a key while the stored keys are locked.
    async fn check_unlocked(&self, key: &TypedKey, field: FieldName) -> Result<(), Rejection> {
        if !key.trimmed().is_empty() && self.host.secrets.holding().await?.locked {
            return Err(Rejection::at(field, phrase("options_keys_locked_first")));
        }
        Ok(())
    }

    /// Stores a typed key for the origin of its server. Does nothing if no key was typed.
    async fn put_key(&self, name: &str, base_url: &str, key: &TypedKey) -> Result<(), Rejection> {
        let origin = origin_of(base_url).filter(|_| !key.trimmed().is_empty());
        if let Some(origin) = origin {
            let secret = Secret::new(key.trimmed());
            self.host.secrets.put(name, &origin, secret).await?;
        }
        Ok(())
    }
}
