//! Loads conversations that the user opens, and lists all conversations.

use super::Runs;
use super::description::{past, turns_of};
use crate::surface::ConversationSummary;
use futures::future::join_all;
use gloss_agent::{Failure, failure};
use gloss_durable::RunId;
use gloss_durable::sorted::{SortedSet, sort_by_key};

impl Runs {
    pub(super) async fn load_turns(&self, conversation: &RunId) {
        let filed = self.tiers.filed();
        let turns = filed.map_or_else(Vec::new, |filed| turns_of(&filed, conversation));
        let absent = turns
            .into_iter()
            .filter(|run| !self.is_loaded(run) && !self.is_found(run));
        let filed = absent.map(|run| async move {
            let filed = self.filed(&run).await?;
            Some((run, (Vec::new(), filed)))
        });
        let stored = join_all(filed).await.into_iter().flatten().collect();
        self.load_runs(stored).await;
        self.hub.order(conversation);
    }

    /// Loads a conversation, unless it is loaded already.
    pub(crate) async fn load_conversation(&self, conversation: &RunId) {
        if self.has_turn(conversation) {
            return;
        }
        self.load_all().await;
        let _one = self.tiers.taking_up.lock().await;
        if !self.has_turn(conversation) {
            self.load_turns(conversation).await;
        }
    }

    /// Loads the conversation of a run, unless it is loaded already.
    pub(crate) async fn load_conversation_of(&self, run: &RunId) {
        if self.is_loaded(run) {
            return;
        }
        self.load_all().await;
        let conversation = self.tiers.filed().and_then(|filed| {
            let digest = filed.get(run)?.as_ref()?;
            Some(digest.conversation.clone())
        });
        if let Some(conversation) = conversation {
            self.load_conversation(&conversation).await;
        }
    }

    /// Returns the reason for which a run is not loaded. `None` if the run is loaded.
    pub(crate) fn why_not(&self, run: &RunId) -> Option<Failure> {
        if self.is_loaded(run) {
            return None;
        }
        let unreadable = self.tiers.unreadable.borrow();
        Some(if let Some(why) = unreadable.get(run) {
            Failure::of_journal(why)
        } else if self.known.borrow().contains_key(run) {
            failure("run_elsewhere")
        } else if self.is_filed(run) {
            failure("disk_silent")
        } else {
            Failure::of_gone_conversation()
        })
    }

    /// Returns a summary of every conversation, newest first.
    pub(crate) fn past(&self) -> Vec<ConversationSummary> {
        let mut all = self.hub.past();
        if let Some(filed) = self.tiers.filed() {
            let here: SortedSet<RunId> = all.iter().map(|past| past.conversation.clone()).collect();
            let filed = past(&filed).into_iter();
            all.extend(filed.filter(|past| !here.contains(&past.conversation)));
        }
        sort_by_key(&mut all, |past| std::cmp::Reverse(past.at_ms));
        all
    }

    /// Counts the unfinished conversations, and passes the number to the hub for the start screen.
    pub(super) fn count_unfinished(&self) {
        let past = self.past();
        let count = past.iter().filter(|past| past.paused.is_some()).count();
        self.hub.set_unfinished(count as u32);
    }
}
