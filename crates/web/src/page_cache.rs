//! A cache of recently read pages.
//!
//! Example: a worker stops between two fetches of one page. The next worker finds the page
//! in the cache, and the site gets no second request. The list of pages is in session storage
//! ([`TimedCache`]). The texts of the pages are in the blob store, under names that no journal
//! uses. The cache returns no errors, and never waits for storage that does not respond.

use super::FETCHED;
use super::timed_cache::{Bounds, TimedCache, all};
use futures::lock::Mutex;
use gloss_durable::{Blobs, Clock, Store, content_hash, json, with_database_timeout};
use gloss_page::Document;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// The maximum age of a page in ms, the number of pages, and the size of their list in bytes.
const BOUNDS: Bounds = Bounds {
    ttl_ms: 15 * 60_000,
    most: 20,
    most_bytes: 100_000,
};

/// The maximum size of a page that is cached, in bytes of its JSON.
const LARGEST: usize = 1024 * 1024;

/// A page that was read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Page {
    /// The final address of the page, after redirects.
    pub url: String,
    /// The page's content as numbered paragraphs.
    pub document: Document,
}

pub(super) struct PageCache {
    /// The name in the blob store for each page's address.
    names: TimedCache,
    blobs: Rc<dyn Blobs>,
}

impl PageCache {
    /// Makes the cache in this browser's storage.
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

    /// Stores a page in place of an earlier version, and removes expired pages.
    pub(super) async fn put(&self, url: &str, page: &Page) {
        let Ok(text) = json::text(page) else {
            return;
        };
        let name = format!("{FETCHED}/{}", content_hash(&text));
        let name = Some(name).filter(|_| text.len() <= LARGEST);
        // The list is written before the text. Otherwise a sweep of the blob store could remove the
        // new text, because no list names it yet.
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

/// Returns the names of the cached texts. A sweep of the blob store must not remove them.
pub async fn names(store: &dyn Store) -> Vec<String> {
    all(store, FETCHED).await
}
