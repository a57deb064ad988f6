//! *Test connection*: calls a profile's server, and reports what is wrong or which models it has.

use super::super::preferences::{FieldName, Problem, is_key, problems};
use super::{Outcome, TypedKey};
use futures::FutureExt;
use gloss_agent::Failure;
use gloss_durable::Fut;
use gloss_host::{Host, KeyError, Secret, Secrets};
use gloss_model::phrase::phrase;
use gloss_model::{Profile, ServerModel};
use std::future::ready;
use std::rc::Rc;

/// A store with a single key. It allows testing a key before the key is stored.
pub(super) struct OneKey(pub(super) Secret);

impl Secrets for OneKey {
    fn get(&self, _: &str, _: &str) -> Fut<Result<Option<Secret>, KeyError>> {
        ready(Ok(Some(self.0.clone()))).boxed_local()
    }
}

/// Calls a profile's server and returns its answer.
pub(super) async fn test_profile(
    host: &Host,
    profile: Profile,
    TypedKey(typed): &TypedKey,
) -> Outcome {
    let typed = typed.trim();
    // The name and the model may be empty, because the result of the test lists the server's
    // models.
    let mut refused = problems(&profile);
    refused.retain(|problem| problem.field == FieldName::BaseUrl);
    if !is_key(typed) {
        refused.push(Problem::at(FieldName::Key, phrase("options_key_refused")));
    }
    if !refused.is_empty() {
        return Outcome::Refused { problems: refused };
    }
    let secrets: Rc<dyn Secrets> = if typed.is_empty() {
        host.secrets.clone()
    } else {
        Rc::new(OneKey(Secret::new(typed)))
    };
    let server = ServerModel {
        profile: Rc::new(profile),
        http: host.http.clone(),
        web: host.web.clone(),
        grants: host.grants.clone(),
        secrets,
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
