//! Pages that were read a short while ago, for whoever asks for them again.
//!
//! Driving example: a worker dies between two fetches of one page; its successor finds the page
//! and the site is not asked twice. The list stands in the session ([`Recent`]); the texts stand
//! beside the large bodies, under names that no journal uses. Nothing here fails, or waits for a
//! disk that hangs.

use super::FETCHED;
use super::recent::{Bounds, Recent, all};
use futures::lock::Mutex;
use gloss_durable::{Blobs, Clock, Store, content_hash, json, patiently};
use gloss_page::Document;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// How long a page is good for, how many are kept, and how long their list is at most.
const BOUNDS: Bounds = Bounds {
    ttl_ms: 15 * 60_000,
    most: 20,
    most_bytes: 100_000,
};

/// A longer page is not kept, in bytes of its JSON.
const LARGEST: usize = 1024 * 1024;

/// A page as it was read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Page {
    /// Where it was in the end.
    pub url: String,
    /// What stands there.
    pub document: Document,
}

/// The pages that are kept.
pub(super) struct Kept {
    /// The name of each page's text.
    names: Recent,
    blobs: Rc<dyn Blobs>,
}

impl Kept {
    /// Those of this browser.
    pub(super) fn new(store: Rc<dyn Store>, blobs: Rc<dyn Blobs>, clock: Rc<dyn Clock>) -> Self {
        let names = Recent {
            name: FETCHED,
            bounds: BOUNDS,
            store,
            clock,
            one: Mutex::default(),
        };
        Self { names, blobs }
    }

    /// The page that was read at this address a short while ago.
    pub(super) async fn get(&self, url: &str) -> Option<Page> {
        let name: String = self.names.get(url).await?;
        let text = patiently(&*self.names.clock, self.blobs.get(&name)).await;
        json::parse(&text.ok()??).ok()
    }

    /// Keeps a page, in the place of what was read there before, and lets go of what is old.
    pub(super) async fn put(&self, url: &str, page: &Page) {
        let Ok(text) = json::text(page) else {
            return;
        };
        let name = format!("{FETCHED}/{}", content_hash(&text));
        let name = Some(name).filter(|_| text.len() <= LARGEST);
        // The list first: a text that it does not name goes with the next sweep.
        let Some(gone) = self.names.put(url, name.clone()).await else {
            return;
        };
        let clock = &*self.names.clock;
        let named = names(&*self.names.store).await;
        for old in gone.iter().filter(|old| !named.contains(old)) {
            let _ = patiently(clock, self.blobs.remove(old)).await;
        }
        if let Some(name) = name {
            let _ = patiently(clock, self.blobs.put(&name, text)).await;
        }
    }
}

/// The names of the texts that are kept: no sweep takes them.
pub async fn names(store: &dyn Store) -> Vec<String> {
    all(store, FETCHED).await
}
