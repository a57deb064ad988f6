//! Facts between the person's own machines, if they want that (off at first).
//!
//! Driving example: a fact is erased here while another machine sleeps. Each fact is an item of
//! its own in the account, and so is that it is gone; whoever looks next merges the items with
//! what it knows, which comes to the same in every order. Keys are never facts, and nothing
//! else is ever there. Refused, it is tried again when next there is anything to tell.

use super::App;
use crate::host::{ALL_BYTES, Account, ITEM_BYTES, ITEMS, StoreError};
use crate::json;
use crate::memory::{Facts, Synced};
use std::collections::BTreeMap;

impl App {
    /// Brings what is known here and what is shared together, if the person wants that.
    pub(super) async fn sync(&self) {
        if !self.kept.now().sync_facts {
            return;
        }
        // Refused, the next time will do: nothing here depends on it.
        let _ = self.sync_now().await;
    }

    async fn sync_now(&self) -> Result<(), StoreError> {
        let account = &self.host.account;
        let shared: BTreeMap<String, String> = account.all().await?.into_iter().collect();
        let others: Vec<(String, Synced)> = shared
            .iter()
            .filter_map(|(id, text)| Some((id.clone(), read(text)?)))
            .collect();
        let mut ours = Vec::new();
        let mut merge = |facts: &mut Facts, now_ms: u64| {
            facts.merge(others.clone(), now_ms);
            ours = facts.to_sync();
        };
        self.memory.change(&mut merge).await?;
        let (put, gone) = difference(&shared, &items(&ours));
        if !gone.is_empty() {
            account.remove(gone).await?;
        }
        if !put.is_empty() {
            account.put(put).await?;
        }
        Ok(())
    }
}

/// Takes all that is shared away.
///
/// # Errors
/// When the browser refuses.
pub(in crate::app) async fn unshare(account: &dyn Account) -> Result<(), StoreError> {
    let shared = account.all().await?;
    let names: Vec<String> = shared.into_iter().map(|(name, _)| name).collect();
    if names.is_empty() {
        return Ok(());
    }
    account.remove(names).await
}

/// What a later Gloss wrote, or nobody, is left alone.
fn read(text: &str) -> Option<Synced> {
    json::read(&serde_json::from_str(text).ok()?).ok()
}

/// As many items as there is room for in an account, in the order given.
fn items(ours: &[(String, Synced)]) -> BTreeMap<String, String> {
    let mut left = ALL_BYTES;
    let written = ours.iter().filter_map(|(id, synced)| {
        let text = serde_json::to_string(synced).ok()?;
        // It stands there as JSON once more.
        let bytes = id.len() + serde_json::to_string(&text).map_or(usize::MAX, |it| it.len()) + 2;
        let fits = bytes <= ITEM_BYTES && bytes <= left;
        left -= if fits { bytes } else { 0 };
        fits.then(|| (id.clone(), text))
    });
    written.take(ITEMS).collect()
}

/// What is to be put, and what is to be taken away: only what reads as ours.
fn difference(
    shared: &BTreeMap<String, String>,
    ours: &BTreeMap<String, String>,
) -> (Vec<(String, String)>, Vec<String>) {
    let put = ours
        .iter()
        .filter(|(id, text)| shared.get(*id) != Some(*text));
    let put = put.map(|(id, text)| (id.clone(), text.clone())).collect();
    let gone = shared
        .iter()
        .filter(|(id, text)| !ours.contains_key(*id) && read(text).is_some());
    (put, gone.map(|(id, _)| id.clone()).collect())
}
