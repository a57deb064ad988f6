//! The search service of a worker, which has one instance for all providers.
//!
//! Example: a run's configuration selects Brave, and [`SearchService::provider`] returns
//! the [`Provider`] for its searches. Results of the last hour come from the cache. Before any
//! other search is sent, it is counted against the user's limits.

use super::ask::{SearchCall, query_text};
use super::quota::SearchQuota;
use super::{Hit, Kind, Provider, ProviderKind, Query, SearchError, Settings};
use crate::{Bounds, TimedCache};
use futures::FutureExt;
use futures::lock::Mutex;
use gloss_durable::Fut;
use gloss_host::{Host, Secrets};
use serde_json::json;
use std::rc::Rc;

/// The maximum number of results of one search.
const MOST: u8 = 20;

/// The key of the cached results in session storage.
pub const SEARCHED: &str = "searched";

/// The maximum age of results in ms, the number of searches, and the size of the cache in bytes.
const BOUNDS: Bounds = Bounds {
    ttl_ms: 3_600_000,
    most: 30,
    most_bytes: 200_000,
};

/// The state that all searches of a worker share.
pub struct SearchService {
    pub(super) host: Host,
    counted: SearchQuota,
    kept: TimedCache,
}

impl SearchService {
    /// Makes a service that uses the services of `host`.
    pub fn new(host: &Host) -> Rc<Self> {
        Rc::new(Self {
            host: host.clone(),
            counted: SearchQuota::new(host.local_storage.clone(), host.clock.clone()),
            kept: TimedCache {
                name: SEARCHED,
                bounds: BOUNDS,
                store: host.store.clone(),
                clock: host.clock.clone(),
                one: Mutex::default(),
            },
        })
    }

    /// Returns the configured provider. Its key is read from the vault when a search is sent.
    pub fn provider(self: &Rc<Self>, settings: Settings) -> Rc<dyn Provider> {
        self.provider_with(settings, self.host.secrets.clone())
    }

    /// Returns the configured provider with keys from `secrets`. It is used to test a key before
    /// the key is stored.
    pub fn provider_with(
        self: &Rc<Self>,
        settings: Settings,
        secrets: Rc<dyn Secrets>,
    ) -> Rc<dyn Provider> {
        Rc::new(ConfiguredProvider {
            desk: self.clone(),
            settings: Rc::new(settings),
            secrets,
        })
    }
}

#[derive(Clone)]
struct ConfiguredProvider {
    desk: Rc<SearchService>,
    settings: Rc<Settings>,
    secrets: Rc<dyn Secrets>,
}

impl Provider for ConfiguredProvider {
    fn name(&self) -> &str {
        self.engine().name()
    }

    fn can_filter(&self) -> bool {
        self.engine().narrows()
    }

    fn has(&self, kind: Kind) -> bool {
        self.engine().has(kind)
    }

    fn search(&self, query: Query, count: u8, fresh: bool) -> Fut<Result<Vec<Hit>, SearchError>> {
        let this = self.clone();
        async move { this.look(query, count, fresh).await }.boxed_local()
    }
}

impl ConfiguredProvider {
    fn engine(&self) -> ProviderKind {
        self.settings.engine
    }

    async fn look(
        &self,
        mut query: Query,
        count: u8,
        fresh: bool,
    ) -> Result<Vec<Hit>, SearchError> {
        query.text = query_text(&query.text);
        if query.text.is_empty() {
            return Ok(Vec::new());
        }
        let engine = self.engine();
        let server = self.settings.server(engine);
        let domains = query.category.map(|it| self.settings.domains.of(it));
        let domains = domains.filter(|_| engine.narrows()).unwrap_or_default();
        let count = count.clamp(1, MOST);
        let asked = json!([engine, server.base_url, server.id, domains, count, query]);
        let asked = asked.to_string();
        if !fresh && let Some(hits) = self.desk.kept.get(&asked).await {
            return Ok(hits);
        }
        let ask = SearchCall {
            host: &self.desk.host,
            secrets: &*self.secrets,
            engine,
            server: &server,
            domains: &domains,
            query: &query,
            count,
        };
        let ready = ask.ready().await?;
        let counted = self.desk.counted.take(engine, &server).await;
        counted.map_err(|seconds| SearchError::RateLimited { seconds })?;
        let hits = ask.send(&ready).await?;
        self.desk.kept.put(&asked, Some(hits.clone())).await;
        Ok(hits)
    }
}
