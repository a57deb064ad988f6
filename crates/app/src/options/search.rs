//! *Test connection* of a search provider: searches once, and returns the outcome.

use super::super::preferences::{FieldName, Problem, TypedServer};
use super::connection_test::secrets_of;
use super::{Outcome, TypedKey};
use gloss_agent::{Failure, SystemCommand, failure};
use gloss_host::Host;
use gloss_model::phrase::{in_units, phrase};
use gloss_web::search::{self, KeyNeed, Missing, ProviderKind, Query, SearchError, Settings};
use std::rc::Rc;

/// The text to search for. Every provider finds results for "Wikipedia", and the word reveals
/// nothing about the user.
const WORDS: &str = "Wikipedia";
/// The number of results that the test asks for.
const RESULTS: u8 = 10;
/// The lines of `SearXNG`'s settings that allow answers in JSON.
const FORMATS: &str = "search:\n  formats: [html, json]";

/// Returns the typed settings of a search provider, or the problems with the settings and the key.
pub(super) fn read_server(
    engine: ProviderKind,
    typed: &TypedServer,
    key: &TypedKey,
) -> Result<search::Server, Vec<Problem>> {
    match (typed.read(engine), key.problem(FieldName::SearchKey)) {
        (Ok(server), None) => Ok(server),
        (read, problem) => Err(read.err().into_iter().flatten().chain(problem).collect()),
    }
}

/// Searches once. The search counts towards the provider's limits. The cache is not used.
pub(super) async fn test_search(
    host: &Host,
    desk: &Rc<search::SearchService>,
    engine: ProviderKind,
    typed: &TypedServer,
    key: &TypedKey,
) -> Outcome {
    let server = match read_server(engine, typed, key) {
        Ok(server) => server,
        Err(problems) => return Outcome::Refused { problems },
    };
    let base_url = server.base_url.clone();
    let settings = Settings {
        engine,
        servers: [(engine, server)].into(),
        ..Settings::default()
    };
    let query = Query {
        text: WORDS.to_owned(),
        ..Query::default()
    };
    let begun_ms = host.clock.now_ms();
    let provider = desk.provider_with(settings, secrets_of(host, key));
    match provider.search(query, RESULTS, true).await {
        Ok(hits) => Outcome::Found {
            results: u32::try_from(hits.len()).unwrap_or(u32::MAX),
            ms: host.clock.now_ms().saturating_sub(begun_ms),
        },
        Err(error) => Outcome::Failed {
            failure: failed(&error, engine, &base_url),
        },
    }
}

/// Returns the message for a failed search. The message tells the user what to do.
fn failed(error: &SearchError, engine: ProviderKind, base_url: &str) -> Failure {
    let name = engine.name();
    let place = base_url
        .split_once("://")
        .map_or(base_url, |(_, rest)| rest);
    let host = place.split('/').next().unwrap_or_default();
    let named = |failure: Failure| failure.title_with(name);
    match error {
        SearchError::Key { .. } if engine.key() == KeyNeed::Required => {
            named(failure("search_bad_key")).remedy_with(name)
        }
        SearchError::Key { .. } => named(failure("search_bad_key"))
            .with_remedy(phrase("search_bad_key_optional").with(host)),
        SearchError::NotPermitted { origin } => failure("model_not_permitted").title_with(origin),
        SearchError::RateLimited { seconds } => {
            let units = [
                "search_limited_remedy",
                "search_limited_minutes_remedy",
                "search_limited_hours_remedy",
            ];
            named(failure("search_limited")).with_remedy(in_units(*seconds, units))
        }
        SearchError::Unreachable { message, .. } => named(failure("search_unreachable"))
            .remedy_with(host)
            .remedy_with(message),
        SearchError::Answered { status: 403, .. } if engine == ProviderKind::Searxng => Failure {
            commands: vec![SystemCommand {
                system: None,
                steps: phrase("search_not_json_steps"),
                text: FORMATS.to_owned(),
            }],
            ..named(failure("search_not_json"))
                .title_with(&403)
                .remedy_with(host)
        },
        SearchError::Answered { status, .. } if error.is_foreign() => failure("search_foreign")
            .title_with(host)
            .title_with(status)
            .remedy_with(name),
        SearchError::Answered {
            status, message, ..
        } => named(failure("search_answered"))
            .title_with(status)
            .remedy_with(message),
        SearchError::NotReady {
            missing: Missing::Passphrase,
            ..
        } => failure("model_keys_locked").remedy_with(name),
        SearchError::NotReady {
            missing: Missing::Redirect,
            ..
        } => failure("search_elsewhere").title_with(host),
        // A provider that doesn't offer a category gets the same message as incomplete settings.
        SearchError::NotReady { .. } | SearchError::Unsupported { .. } => {
            named(failure("search_not_ready"))
        }
    }
}

#[cfg(test)]
mod tests;
