//! *Test connection* of a search provider: one search, and what came of it in words.

use super::super::preferences::{FieldName, Problem, TypedServer, is_key};
use super::probe::OneKey;
use super::{Outcome, TypedKey};
use gloss_agent::{Failure, SystemCommand};
use gloss_host::{Host, Secret, Secrets};
use gloss_model::phrase::{Phrase, in_units, phrase};
use gloss_web::search::{self, Engine, KeyNeed, Missing, Query, SearchError, Settings};
use std::rc::Rc;

/// What is looked for: something that everybody has, and that tells nothing of the person.
const WORDS: &str = "Wikipedia";
/// So many results are asked for.
const RESULTS: u8 = 10;
/// What `SearXNG` must be told, so that it answers in JSON.
const FORMATS: &str = "search:\n  formats: [html, json]";

/// Searches once. It counts as any search does, and what is kept is passed by.
pub(super) async fn try_out(
    host: &Host,
    desk: &Rc<search::Desk>,
    engine: Engine,
    typed: &TypedServer,
    TypedKey(key): &TypedKey,
) -> Outcome {
    let key = key.trim();
    let (server, mut problems) = match typed.read(engine) {
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
        return Outcome::Refused { problems };
    };
    let secrets: Rc<dyn Secrets> = if key.is_empty() {
        host.secrets.clone()
    } else {
        Rc::new(OneKey(Secret::new(key)))
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
    let provider = desk.provider_with(settings, secrets);
    match provider.search(query, RESULTS, true).await {
        Ok(hits) => Outcome::Found {
            results: u32::try_from(hits.len()).unwrap_or(u32::MAX),
            ms: host.clock.now_ms().saturating_sub(begun_ms),
        },
        Err(error) => Outcome::Failed {
            failure: failure(&error, engine, &base_url),
        },
    }
}

/// Who refused what, and what to do.
fn failure(error: &SearchError, engine: Engine, base_url: &str) -> Failure {
    let name = engine.name();
    let place = base_url
        .split_once("://")
        .map_or(base_url, |(_, rest)| rest);
    let host = place.split('/').next().unwrap_or_default();
    let told = |code: &str, title: Phrase, remedy: Phrase| Failure {
        code: code.to_owned(),
        title,
        remedy,
        recoverable: true,
        commands: Vec::new(),
    };
    match error {
        SearchError::Key { .. } => told(
            "search_bad_key",
            phrase("search_bad_key_title").with(name),
            match engine.key() {
                KeyNeed::Required => phrase("search_bad_key_remedy").with(name),
                KeyNeed::Optional | KeyNeed::None => phrase("search_bad_key_optional").with(host),
            },
        ),
        SearchError::NotPermitted { origin } => told(
            "search_not_permitted",
            phrase("model_not_permitted_title").with(origin),
            phrase("model_not_permitted_remedy"),
        ),
        SearchError::RateLimited { seconds } => told(
            "search_limited",
            phrase("search_limited_title").with(name),
            in_units(
                *seconds,
                [
                    "search_limited_remedy",
                    "search_limited_minutes_remedy",
                    "search_limited_hours_remedy",
                ],
            ),
        ),
        SearchError::Unreachable { message, .. } => told(
            "search_unreachable",
            phrase("search_unreachable_title").with(name),
            phrase("search_unreachable_remedy").with(host).with(message),
        ),
        SearchError::Answered { status: 403, .. } if engine == Engine::Searxng => Failure {
            commands: vec![SystemCommand {
                system: None,
                steps: phrase("search_not_json_steps"),
                text: FORMATS.to_owned(),
            }],
            ..told(
                "search_not_json",
                phrase("search_not_json_title").with(name).with(&403),
                phrase("search_not_json_remedy").with(host),
            )
        },
        SearchError::Answered { status, .. } if error.is_foreign() => told(
            "search_foreign",
            phrase("search_foreign_title").with(host).with(status),
            phrase("search_foreign_remedy").with(name),
        ),
        SearchError::Answered {
            status, message, ..
        } => told(
            "search_answered",
            phrase("search_answered_title").with(name).with(status),
            phrase("search_answered_remedy").with(message),
        ),
        SearchError::NotReady { missing, .. } => match missing {
            Missing::Passphrase => told(
                "search_keys_locked",
                phrase("model_keys_locked_title"),
                phrase("model_keys_locked_remedy").with(name),
            ),
            Missing::Elsewhere => told(
                "search_elsewhere",
                phrase("search_elsewhere_title").with(host),
                phrase("search_elsewhere_remedy"),
            ),
            Missing::BaseUrl | Missing::Address | Missing::Id | Missing::Storage => told(
                "search_not_ready",
                phrase("search_not_ready_title").with(name),
                phrase("search_not_ready_remedy"),
            ),
        },
        // Pages are what everybody has.
        SearchError::Unsupported { .. } => told(
            "search_not_ready",
            phrase("search_not_ready_title").with(name),
            phrase("search_not_ready_remedy"),
        ),
    }
}

#[cfg(test)]
mod tests;
