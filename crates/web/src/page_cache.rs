//! A cache of recently read pages.
//!
//! Driving example: a worker dies between two fetches of one page. The next worker finds the page
//! here, and the site gets no second request. The list is in session storage ([`TimedCache`]). The
//! texts are among the blobs, under names that no journal uses. This code never fails, and never
//! waits for a disk that hangs.

use super::FETCHED;
use super::timed_cache::{Bounds, TimedCache, all};
use futures::lock::Mutex;
use gloss_durable::{Blobs, Clock, Store, content_hash, json, with_database_timeout};
use gloss_page::Document;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// The lifetime of pages, their number, and the size of their list.
const BOUNDS: Bounds = Bounds {
    ttl_ms: 15 * 60_000,
    most: 20,
    most_bytes: 100_000,
};

/// Larger pages are not cached, in bytes of their JSON.
const LARGEST: usize = 1024 * 1024;

/// A page that was read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Page {
    /// The address after redirects.
    pub url: String,
    /// The page's content.
    pub document: Document,
}

/// The cache.
pub(super) struct PageCache {
    /// The blob name of each page.
    names: TimedCache,
    blobs: Rc<dyn Blobs>,
}

impl PageCache {
    /// The cache in this browser's storage.
    pub(super) fn new(store: Rc<dyn Store>, blobs: Rc<dyn Blobs>, clock: Rc<dyn Clock>) -> Self {
        let names = TimedCache {
            name: FETCHED,
            bounds: BOUNDS,
            store,
            clock,
            one: Mutex::default(),
        };
        Self { names, blobs }
    }

    /// Returns the page if it was read at this address recently.
    pub(super) async fn get(&self, url: &str) -> Option<Page> {
        let name: String = self.names.get(url).await?;
        let text = with_database_timeout(&*self.names.clock, self.blobs.get(&name)).await;
        json::parse(&text.ok()??).ok()
    }

    /// Stores a page, replaces an earlier version, and removes expired pages.
    pub(super) async fn put(&self, url: &str, page: &Page) {
        let Ok(text) = json::text(page) else {
            return;
        };
        let name = format!("{FETCHED}/{}", content_hash(&text));
        let name = Some(name).filter(|_| text.len() <= LARGEST);
        // The list is written first: a text that it does not name is removed by the next sweep.
        let Some(gone) = self.names.put(url, name.clone()).await else {
            return;
        };
        let clock = &*self.names.clock;
        let named = names(&*self.names.store).await;
        for old in gone.iter().filter(|old| !named.contains(old)) {
            let _ = with_database_timeout(clock, self.blobs.remove(old)).await;
        }
        if let Some(name) = name {
            let _ = with_database_timeout(clock, self.blobs.put(&name, text)).await;
        }
    }
}

/// The names of the cached texts, which no sweep may remove.
pub async fn names(store: &dyn Store) -> Vec<String> {
    all(store, FETCHED).await
}
