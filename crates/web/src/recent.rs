//! What was had a short while ago, for whoever asks for the same again (DETAILS §4).
//!
//! Driving example: a worker dies between a search and the reading of its results; its
//! successor asks again and nobody is sent anything. The list stands in the browser's session,
//! so it outlives workers and no browser. What can't be kept is asked for again: nothing here
//! fails.

use futures::lock::Mutex;
use gloss_durable::{Clock, Store, json};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// What one question gave.
#[derive(Serialize, Deserialize)]
struct Entry<T> {
    /// The question, whole.
    asked: String,
    at_ms: u64,
    had: T,
}

/// How much is kept, and for how long.
pub(crate) struct Bounds {
    pub(crate) ttl_ms: u64,
    pub(crate) most: usize,
    pub(crate) most_bytes: usize,
}

/// A list of what was had, under a name in the session.
pub(crate) struct Recent {
    pub(crate) name: &'static str,
    pub(crate) bounds: Bounds,
    pub(crate) store: Rc<dyn Store>,
    pub(crate) clock: Rc<dyn Clock>,
    /// Whoever changes the list holds it.
    pub(crate) one: Mutex<()>,
}

impl Recent {
    /// What the same question gave a short while ago.
    pub(crate) async fn get<T: DeserializeOwned>(&self, asked: &str) -> Option<T> {
        let entries = entries(&*self.store, self.name).await.into_iter();
        let mut fresh = entries.filter(|entry| self.is_fresh(entry));
        fresh.find(|entry| entry.asked == asked).map(|it| it.had)
    }

    /// Keeps what a question gave, or nothing, in the place of what it gave before, and lets go
    /// of what is old: of this, `None` if the session refuses.
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
        self.store.keep(self.name, text).await.ok()?;
        Some(gone.into_iter().map(|entry| entry.had).collect())
    }

    /// A clock that went back makes nothing fresh for ever.
    fn is_fresh<T>(&self, entry: &Entry<T>) -> bool {
        let age_ms = self.clock.now_ms().checked_sub(entry.at_ms);
        age_ms.is_some_and(|age_ms| age_ms < self.bounds.ttl_ms)
    }
}

/// All that stands under a name, old or not.
pub(super) async fn all<T: DeserializeOwned>(store: &dyn Store, name: &'static str) -> Vec<T> {
    let entries = entries(store, name).await.into_iter();
    entries.map(|entry| entry.had).collect()
}

async fn entries<T: DeserializeOwned>(store: &dyn Store, name: &'static str) -> Vec<Entry<T>> {
    let list = store.kept(name).await.ok().flatten();
    let list = list.and_then(|list| serde_json::from_str(&list).ok());
    list.and_then(|list| json::read(&list).ok())
        .unwrap_or_default()
}

/// Nothing where there is nothing.
fn written<T: Serialize>(entries: &[Entry<T>]) -> String {
    match serde_json::to_string(entries) {
        Ok(list) if !entries.is_empty() => list,
        _ => String::new(),
    }
}
