//! The files of the simulated package, which a test sets.

use super::Sim;
use gloss_durable::Fut;
use gloss_host::{AssetError, Assets};
use std::collections::BTreeMap;

/// The files, and the number of requests for them.
#[derive(Default)]
pub(super) struct Files {
    pub(super) laid: BTreeMap<String, Vec<u8>>,
    pub(super) asked: u64,
}

impl Assets for Sim {
    fn load(&self, name: &'static str) -> Fut<Result<Vec<u8>, AssetError>> {
        let files = self.files.clone();
        self.files.borrow_mut().asked += 1;
        let load = move || {
            let found = files.borrow().laid.get(name).cloned();
            found.ok_or_else(|| AssetError {
                name: name.to_owned(),
                message: "Failed to fetch".to_owned(),
            })
        };
        self.queue.local(0, load)
    }
}
