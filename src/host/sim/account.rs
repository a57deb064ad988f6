//! What is shared through an account: it outlives every life, and has Chrome's bounds.

use super::disk::SimStore;
use super::queue::Kind;
use crate::host::{Account, Fut, StoreError};

/// What `chrome.storage.sync` takes of one item, and of all (bytes, as JSON).
const ITEM_BYTES: usize = 8_192;
const ALL_BYTES: usize = 102_400;
const ITEMS: usize = 512;

impl Account for SimStore {
    fn all(&self) -> Fut<Result<Vec<(String, String)>, StoreError>> {
        self.issue(Kind::Local, |disk| {
            disk.readable()?;
            let items = disk.account.iter();
            Ok(items
                .map(|(name, text)| (name.clone(), text.clone()))
                .collect())
        })
    }

    fn put(&self, items: Vec<(String, String)>) -> Fut<Result<(), StoreError>> {
        self.issue(Kind::Write("account"), move |disk| {
            disk.readable()?;
            let mut next = disk.account.clone();
            next.extend(items);
            let size = |(name, text): (&String, &String)| {
                name.len() + serde_json::to_string(text).map_or(0, |json| json.len())
            };
            let sizes: Vec<usize> = next.iter().map(size).collect();
            let fits = sizes.iter().all(|size| *size <= ITEM_BYTES)
                && sizes.iter().sum::<usize>() <= ALL_BYTES
                && sizes.len() <= ITEMS;
            if !fits {
                return Err(StoreError::Full);
            }
            disk.account = next;
            Ok(())
        })
    }

    fn remove(&self, names: Vec<String>) -> Fut<Result<(), StoreError>> {
        self.issue(Kind::Write("account"), move |disk| {
            disk.readable()?;
            for name in &names {
                disk.account.remove(name);
            }
            Ok(())
        })
    }
}
