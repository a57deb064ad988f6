//! Results that were had a short while ago, for whoever asks the same again (DETAILS §4).
//!
//! Driving example: a worker dies between a search and the reading of its results; its
//! successor asks again and nobody is sent anything. They stand in the browser's session, so
//! they outlive workers and no browser. What can't be kept is asked for again: nothing here
//! fails.

use super::Hit;
use crate::host::{Clock, Store};
use crate::json;
use futures::lock::Mutex;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// They are kept under this name in the session.
pub const SEARCHED: &str = "searched";

/// How long results are good for.
const TTL_MS: u64 = 3_600_000;
/// So many searches are kept.
const MOST: usize = 30;
/// And so much text of them, in bytes.
const MOST_BYTES: usize = 200_000;

/// What one search gave.
#[derive(Serialize, Deserialize)]
struct Entry {
    /// Who was asked for what, whole.
    asked: String,
    at_ms: u64,
    hits: Vec<Hit>,
}

/// The results that are kept.
pub(super) struct Kept {
    store: Rc<dyn Store>,
    clock: Rc<dyn Clock>,
    /// Who changes the list.
    one: Mutex<()>,
}

impl Kept {
    pub(super) fn new(store: Rc<dyn Store>, clock: Rc<dyn Clock>) -> Self {
        Self {
            store,
            clock,
            one: Mutex::default(),
        }
    }

    /// What the same search gave a short while ago.
    pub(super) async fn get(&self, asked: &str) -> Option<Vec<Hit>> {
        let now_ms = self.clock.now_ms();
        let entries = self.entries().await.into_iter();
        let mut fresh = entries.filter(|entry| is_fresh(entry, now_ms));
        fresh.find(|entry| entry.asked == asked).map(|it| it.hits)
    }

    /// Keeps what a search gave, and lets go of what is old.
    pub(super) async fn put(&self, asked: String, hits: Vec<Hit>) {
        let _one = self.one.lock().await;
        let now_ms = self.clock.now_ms();
        let mut left = self.entries().await;
        left.retain(|entry| entry.asked != asked && is_fresh(entry, now_ms));
        left.insert(
            0,
            Entry {
                asked,
                at_ms: now_ms,
                hits,
            },
        );
        left.truncate(MOST);
        let mut text = json::text(&left).unwrap_or_default();
        while text.len() > MOST_BYTES && left.pop().is_some() {
            text = json::text(&left).unwrap_or_default();
        }
        // Refused, it is asked for again.
        let _ = self.store.keep(SEARCHED, text).await;
    }

    async fn entries(&self) -> Vec<Entry> {
        let list = self.store.kept(SEARCHED).await.ok().flatten();
        list.and_then(|list| json::parse(&list).ok())
            .unwrap_or_default()
    }
}

/// A clock that went back makes nothing fresh for ever.
fn is_fresh(entry: &Entry, now_ms: u64) -> bool {
    let age_ms = now_ms.checked_sub(entry.at_ms);
    age_ms.is_some_and(|age_ms| age_ms < TTL_MS)
}
