//! *Test connection*: calls a profile's server, and reports what is wrong or which models it has.

use super::super::preferences::{FieldName, problems};
use super::{Outcome, TypedKey};
use futures::FutureExt;
use gloss_agent::Failure;
use gloss_durable::Fut;
use gloss_host::{Host, KeyError, Secret, Secrets};
use gloss_model::{Profile, ServerModel};
use std::future::ready;
use std::rc::Rc;

/// Returns one typed key for every request, so that the key can be tested before it is stored.
struct OneKey(Secret);

impl Secrets for OneKey {
    fn get(&self, _: &str, _: &str) -> Fut<Result<Option<Secret>, KeyError>> {
        ready(Ok(Some(self.0.clone()))).boxed_local()
    }
}

/// Returns the keys for a test: the typed key, or the stored keys if none was typed.
pub(super) fn secrets_of(host: &Host, key: &TypedKey) -> Rc<dyn Secrets> {
    match key.trimmed() {
        "" => host.secrets.clone(),
        key => Rc::new(OneKey(Secret::new(key))),
    }
}

/// Asks a profile's server for its models. Returns the models, or the reason of a failure.
pub(super) async fn test_profile(host: &Host, profile: Profile, key: &TypedKey) -> Outcome {
    // The user may run the test before choosing a name and a model, so only the address is checked.
    let mut refused = problems(&profile);
    refused.retain(|problem| problem.field == FieldName::BaseUrl);
    refused.extend(key.problem(FieldName::Key));
    if !refused.is_empty() {
        return Outcome::Refused { problems: refused };
    }
    let server = ServerModel {
        profile: Rc::new(profile),
        http: host.http.clone(),
        web: host.web.clone(),
        grants: host.grants.clone(),
        secrets: secrets_of(host, key),
        clock: host.clock.clone(),
    };
    match server.models().await {
        Ok(models) => {
            let missing = server.missing_among(&models);
            let named = !server.profile.model.is_empty();
            let missing = missing.filter(|_| named);
            let missing = missing.map(|error| Failure::of_model(&error));
            Outcome::Listed { models, missing }
        }
        Err(error) => Outcome::Failed {
            failure: Failure::of_model(&error),
        },
    }
}
