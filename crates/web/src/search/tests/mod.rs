//! Tests of searches. The simulated network answers in the documented format of each provider.

mod answers;
mod hostile;
mod languages;
mod limits;
mod requests;

use super::{Hit, ProviderKind, Query, SearchError, SearchService, Server, Settings};
use gloss_host::{HttpRequest, Secret};
use gloss_host_sim::{Answer, Sim};

const NEVER: u64 = u64::MAX;
/// 2026-11-22, in milliseconds since the Unix epoch.
const NOW_MS: i64 = 1_795_305_600_000;
const KEY: &str = "canary-27182818";
const HOME: &str = "http://localhost:8080";

/// A simulation with a key for every provider and the permission to connect to it.
fn world(serve: impl FnMut(&HttpRequest, usize) -> Answer + 'static) -> Sim {
    let sim = Sim::new(7);
    sim.jump_clock(NOW_MS - i64::try_from(sim.now_ms()).unwrap());
    sim.serve(serve);
    for engine in ProviderKind::ALL {
        let origin = match engine {
            ProviderKind::Searxng => HOME,
            engine => engine.base_url(),
        };
        if engine.needs_host_permission(origin) {
            sim.grant(origin);
        }
        let vault = sim.host().secrets;
        let put = async move {
            vault
                .put(engine.key_name(), origin, Secret::new(KEY))
                .await
                .unwrap();
        };
        sim.life(NEVER, put);
    }
    sim
}

fn settings(engine: ProviderKind) -> Settings {
    let mut settings = Settings {
        engine,
        ..Settings::default()
    };
    let set = match engine {
        ProviderKind::Searxng => Server {
            base_url: HOME.to_owned(),
            ..Server::default()
        },
        ProviderKind::Google => Server {
            id: "cx1".to_owned(),
            ..Server::of(engine)
        },
        ProviderKind::Wikipedia | ProviderKind::Brave | ProviderKind::Tavily => return settings,
    };
    settings.servers.insert(engine, set);
    settings
}

fn query(text: &str) -> Query {
    Query {
        text: text.to_owned(),
        language: "en".to_owned(),
        ..Query::default()
    }
}

/// Runs one search in a worker of its own.
fn search_with(sim: &Sim, settings: Settings, query: Query) -> Result<Vec<Hit>, SearchError> {
    let desk = SearchService::new(&sim.host());
    let search = async move { desk.provider(settings).search(query, 5, false).await };
    sim.life(NEVER, search).unwrap()
}

fn search(sim: &Sim, engine: ProviderKind, query: Query) -> Result<Vec<Hit>, SearchError> {
    search_with(sim, settings(engine), query)
}

/// A simulation whose network answers every request with this body.
fn says(status: u16, body: &str) -> Sim {
    let body = body.to_owned();
    world(move |_, _| Answer::status(status).send(&body))
}

/// A provider's response without results.
fn empty(engine: ProviderKind) -> &'static str {
    match engine {
        ProviderKind::Wikipedia => r#"{"batchcomplete":true,"query":{"search":[]}}"#,
        ProviderKind::Searxng => r#"{"query":"q","number_of_results":0,"results":[]}"#,
        ProviderKind::Brave => r#"{"type":"search","query":{"original":"q"}}"#,
        ProviderKind::Google => {
            r#"{"kind":"customsearch#search","searchInformation":{"totalResults":"0"}}"#
        }
        ProviderKind::Tavily => r#"{"query":"q","results":[]}"#,
    }
}
