//! A cache of recent answers to requests and searches (DETAILS §4).
//!
//! Example: a worker stops after a search and before the results are read. The next worker
//! repeats the search and finds its results in the cache, so no request is sent. The cache is in
//! session storage, so it is kept until the browser closes. The cache returns no errors: an answer
//! that can't be stored is requested again.

use futures::lock::Mutex;
use gloss_durable::{Clock, Store, json};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// The answer to one request, with the time at which it was stored.
#[derive(Serialize, Deserialize)]
struct Entry<T> {
    /// The complete request.
    asked: String,
    at_ms: u64,
    had: T,
}

/// The limits on the age of entries in ms, their number, and their size in bytes.
pub(crate) struct Bounds {
    pub(crate) ttl_ms: u64,
    pub(crate) most: usize,
    pub(crate) most_bytes: usize,
}

/// A list of answers, under a key in session storage.
pub(crate) struct TimedCache {
    pub(crate) name: &'static str,
    pub(crate) bounds: Bounds,
    pub(crate) store: Rc<dyn Store>,
    pub(crate) clock: Rc<dyn Clock>,
    /// The lock that must be held to change the list.
    pub(crate) one: Mutex<()>,
}

impl TimedCache {
    /// Returns the answer if the same request was made recently.
    pub(crate) async fn get<T: DeserializeOwned>(&self, asked: &str) -> Option<T> {
        let entries = entries(&*self.store, self.name).await.into_iter();
        let mut fresh = entries.filter(|entry| self.is_fresh(entry));
        fresh.find(|entry| entry.asked == asked).map(|it| it.had)
    }

    /// Replaces the answer to a request, or removes it if `had` is `None`. Expired entries are
    /// removed too. Returns the removed answers; `None` if session storage refuses the write.
    pub(crate) async fn put<T>(&self, asked: &str, had: Option<T>) -> Option<Vec<T>>
    where
        T: Serialize + DeserializeOwned,
    {
        let _one = self.one.lock().await;
        let entries = entries(&*self.store, self.name).await.into_iter();
        let stays = |entry: &Entry<T>| entry.asked != asked && self.is_fresh(entry);
        let (mut left, mut gone): (Vec<_>, Vec<_>) = entries.partition(stays);
        if let Some(had) = had {
            let entry = Entry {
                asked: asked.to_owned(),
                at_ms: self.clock.now_ms(),
                had,
            };
            left.insert(0, entry);
        }
        gone.extend(left.drain(self.bounds.most.min(left.len())..));
        let mut text = written(&left);
        while text.len() > self.bounds.most_bytes {
            gone.extend(left.pop());
            text = written(&left);
        }
        self.store.put_text(self.name, text).await.ok()?;
        Some(gone.into_iter().map(|entry| entry.had).collect())
    }

    /// Returns true if the entry has not expired. An entry from the future counts as expired.
    /// Otherwise, after a clock was set back, the entry would stay valid for too long.
    fn is_fresh<T>(&self, entry: &Entry<T>) -> bool {
        let age_ms = self.clock.now_ms().checked_sub(entry.at_ms);
        age_ms.is_some_and(|age_ms| age_ms < self.bounds.ttl_ms)
    }
}

/// Returns all answers in the list `name`, including expired ones.
pub(super) async fn all<T: DeserializeOwned>(store: &dyn Store, name: &'static str) -> Vec<T> {
    let entries = entries(store, name).await.into_iter();
    entries.map(|entry| entry.had).collect()
}

async fn entries<T: DeserializeOwned>(store: &dyn Store, name: &'static str) -> Vec<Entry<T>> {
    let list = store.text(name).await.ok().flatten();
    let list = list.and_then(|list| serde_json::from_str(&list).ok());
    list.and_then(|list| json::read(&list).ok())
        .unwrap_or_default()
}

/// Returns the list as text. An empty list becomes an empty text, which removes the key from
/// storage.
fn written<T: Serialize>(entries: &[Entry<T>]) -> String {
    match json::text(&entries) {
        Ok(list) if !entries.is_empty() => list,
        _ => String::new(),
    }
}
