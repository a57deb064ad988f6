//! Requests of the *Save* buttons, which store a profile or a search provider together with its
//! key.

use super::super::preferences::{FieldName, Problem, TypedServer, is_key, origin_of, problems};
use super::TypedKey;
use super::rejection::Rejection;
use super::service::OptionsService;
use gloss_host::{KeyError, Secret};
use gloss_model::Profile;
use gloss_model::phrase::phrase;
use gloss_web::search::{self, ProviderKind};

impl OptionsService {
    pub(super) async fn save(
        &self,
        profile: Profile,
        TypedKey(key): &TypedKey,
    ) -> Result<(), Rejection> {
        let key = key.trim();
        let mut problems = problems(&profile);
        if !is_key(key) {
            problems.push(Problem::at(FieldName::Key, phrase("options_key_refused")));
        }
        if !key.is_empty() && self.host.secrets.holding().await?.locked {
            return Err(KeyError::Locked.into());
        }
        if !problems.is_empty() {
            return Err(Rejection::Refused(problems));
        }
        let mut next = self.kept.now();
        let id = profile.id.clone();
        let origin = origin_of(&profile.base_url);
        // The first server that the user connects becomes the answering model.
        if next.profiles.is_empty() {
            next.answers = Some(id.clone());
        }
        next.put_profile(profile);
        self.set(next).await?;
        if let Some(origin) = origin.filter(|_| !key.is_empty()) {
            let secret = Secret::new(key);
            self.host.secrets.put(&id, &origin, secret).await?;
        }
        Ok(())
    }

    pub(super) async fn save_search(
        &self,
        engine: ProviderKind,
        server: &TypedServer,
        TypedKey(key): &TypedKey,
    ) -> Result<(), Rejection> {
        let key = key.trim();
        let (server, mut problems) = match server.read(engine) {
            Ok(server) => (Some(server), Vec::new()),
            Err(problems) => (None, problems),
        };
        if !is_key(key) {
            problems.push(Problem::at(
                FieldName::SearchKey,
                phrase("options_key_refused"),
            ));
        }
        let Some(server) = server.filter(|_| problems.is_empty()) else {
            return Err(Rejection::Refused(problems));
        };
        if !key.is_empty() && self.host.secrets.holding().await?.locked {
            let words = phrase("options_keys_locked_first");
            return Err(Rejection::at(FieldName::SearchKey, words));
        }
        let mut next = self.kept.now();
        let origin = origin_of(&server.base_url);
        if server == search::Server::of(engine) {
            next.search.servers.remove(&engine);
        } else {
            next.search.servers.insert(engine, server);
        }
        self.set(next).await?;
        if let Some(origin) = origin.filter(|_| !key.is_empty()) {
            let secret = Secret::new(key);
            let kept = self.host.secrets.put(engine.key_name(), &origin, secret);
            kept.await?;
        }
        Ok(())
    }
}
