//! Pages that were read a short while ago, for whoever asks for them again.
//!
//! Driving example: a worker dies between two fetches of one page; its successor finds the page
//! and the site is not asked twice. The list stands in the session, so it outlives workers and
//! no browser; the texts stand beside the large bodies, under names that no journal uses.
//! What can't be kept is fetched again: nothing here fails, or waits for a disk that hangs.

use super::FETCHED;
use crate::durable::{content_hash, patiently};
use crate::host::{Blobs, Clock, Store};
use crate::json;
use crate::page::Document;
use futures::lock::Mutex;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// How long a page is good for.
const TTL_MS: u64 = 15 * 60_000;

/// So many pages are kept.
const MOST: usize = 20;

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

/// What the list says of a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Entry {
    /// What was asked for.
    url: String,
    /// The name of its text.
    name: String,
    at_ms: u64,
}

/// The pages that are kept.
pub(super) struct Kept {
    store: Rc<dyn Store>,
    blobs: Rc<dyn Blobs>,
    clock: Rc<dyn Clock>,
    /// Who changes the list.
    one: Mutex<()>,
}

impl Kept {
    /// Those of this browser.
    pub(super) fn new(store: Rc<dyn Store>, blobs: Rc<dyn Blobs>, clock: Rc<dyn Clock>) -> Self {
        Self {
            store,
            blobs,
            clock,
            one: Mutex::default(),
        }
    }

    /// The page that was read at this address a short while ago.
    pub(super) async fn get(&self, url: &str) -> Option<Page> {
        let now_ms = self.clock.now_ms();
        let entries = entries(&*self.store).await;
        let is_it = |entry: &&Entry| entry.url == url && is_fresh(entry, now_ms);
        let name = &entries.iter().find(is_it)?.name;
        let text = patiently(&*self.clock, self.blobs.get(name)).await.ok()??;
        json::parse(&text).ok()
    }

    /// Keeps a page, in the place of what was read there before, and lets go of what is old.
    pub(super) async fn put(&self, url: &str, page: &Page) {
        let Ok(text) = json::text(page) else {
            return;
        };
        let _one = self.one.lock().await;
        let now_ms = self.clock.now_ms();
        let (mut left, mut gone): (Vec<Entry>, Vec<Entry>) = entries(&*self.store)
            .await
            .into_iter()
            .partition(|entry| entry.url != url && is_fresh(entry, now_ms));
        if text.len() <= LARGEST {
            left.insert(
                0,
                Entry {
                    url: url.to_owned(),
                    name: format!("{FETCHED}/{}", content_hash(&text)),
                    at_ms: now_ms,
                },
            );
        }
        gone.extend(left.drain(MOST.min(left.len())..));
        // The list first: a text that it does not name goes with the next sweep.
        let listed = match json::text(&left) {
            Ok(list) if !left.is_empty() => list,
            _ => String::new(),
        };
        if self.store.keep(FETCHED, listed).await.is_err() {
            return;
        }
        for entry in gone {
            if !left.iter().any(|it| it.name == entry.name) {
                let _ = patiently(&*self.clock, self.blobs.remove(&entry.name)).await;
            }
        }
        if let Some(entry) = left.first().filter(|entry| entry.url == url) {
            let _ = patiently(&*self.clock, self.blobs.put(&entry.name, text)).await;
        }
    }
}

/// The names of the texts that are kept: no sweep takes them.
pub async fn names(store: &dyn Store) -> Vec<String> {
    let entries = entries(store).await.into_iter();
    entries.map(|entry| entry.name).collect()
}

async fn entries(store: &dyn Store) -> Vec<Entry> {
    let list = store.kept(FETCHED).await.ok().flatten();
    list.and_then(|list| json::parse(&list).ok())
        .unwrap_or_default()
}

/// A clock that went back makes nothing fresh for ever.
fn is_fresh(entry: &Entry, now_ms: u64) -> bool {
    let age_ms = now_ms.checked_sub(entry.at_ms);
    age_ms.is_some_and(|age_ms| age_ms < TTL_MS)
}
