//! Turning to a conversation that this life has not loaded, and the list of all.

use super::Runs;
use super::digest::{past, turns_of};
use crate::agent::Status;
use crate::app::surface::Past;
use crate::host::RunId;
use std::collections::{BTreeMap, BTreeSet};

impl Runs {
    /// The filed turns of a conversation that this life does not have.
    pub(super) async fn load_turns(&self, conversation: &RunId) {
        let turns = match &*self.tiers.catalogue.borrow() {
            Some(catalogue) => turns_of(catalogue, conversation),
            None => Vec::new(),
        };
        let mut stored = BTreeMap::new();
        for run in turns {
            if self.has(&run) || self.tiers.found.borrow().contains_key(&run) {
                continue;
            }
            if let Some(filed) = self.filed(&run).await {
                stored.insert(run, (Vec::new(), filed));
            }
        }
        self.bring_back(stored).await;
        self.hub.order(conversation);
    }

    /// Loads a conversation that nobody has turned to in this life.
    pub(in crate::app) async fn turn_to(&self, conversation: &RunId) {
        if self.hub.last_turn(conversation).is_some() {
            return;
        }
        self.take_up().await;
        let _one = self.tiers.taking_up.lock().await;
        if self.hub.last_turn(conversation).is_none() {
            self.load_turns(conversation).await;
        }
    }

    /// Loads the conversation of a run that nobody has turned to in this life.
    pub(in crate::app) async fn turn_to_run(&self, run: &RunId) {
        if self.has(run) {
            return;
        }
        self.take_up().await;
        let conversation = match &*self.tiers.catalogue.borrow() {
            Some(catalogue) => catalogue.get(run).and_then(Option::as_ref).cloned(),
            None => None,
        };
        if let Some(digest) = conversation {
            self.turn_to(&digest.conversation).await;
        }
    }

    /// Every conversation there is, the newest first.
    pub(in crate::app) fn past(&self) -> Vec<Past> {
        let mut all = self.hub.past();
        if let Some(catalogue) = &*self.tiers.catalogue.borrow() {
            let here: BTreeSet<RunId> = all.iter().map(|past| past.conversation.clone()).collect();
            let filed = past(catalogue).into_iter();
            all.extend(filed.filter(|past| !here.contains(&past.conversation)));
        }
        all.sort_by_key(|past| std::cmp::Reverse(past.at_ms));
        all
    }

    /// Whether the session holds something of a run that is not taken up.
    pub(super) fn is_found(&self, run: &RunId) -> bool {
        self.tiers.found.borrow().contains_key(run)
    }

    /// Whether a run is filed that this life has not taken up.
    pub(super) fn is_filed(&self, run: &RunId) -> bool {
        let catalogue = self.tiers.catalogue.borrow();
        catalogue.as_ref().is_some_and(|it| it.contains_key(run))
    }

    /// A start screen says how many conversations are unfinished.
    pub(super) fn count_unfinished(&self) {
        let paused = |past: &Past| past.status == Status::Paused;
        let count = self.past().iter().filter(|past| paused(past)).count();
        self.hub.set_unfinished(count as u32);
    }
}
