//! The known facts and their changes. This code uses no clock, storage or randomness.
//!
//! Example: under an answer the user sees "Remembered: … Undo". A week later the user
//! presses Undo. The saved fact is removed. If it had replaced an older fact, the older fact is
//! restored completely. The module `saving` turns drafts into facts.

use super::judge::Refusal;
use super::same_words::same_words;
use super::{Fact, FactId, ImportResult};
use serde::{Deserialize, Serialize};

/// The number of actions whose keys are stored. There are never that many actions in flight.
const MOST_ACTS: usize = 64;

/// The number of removed facts for which the reason is stored.
const MOST_GONE: usize = 100;

/// All facts about the user.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    #[serde(rename = "facts")]
    pub(super) known: Vec<Fact>,
    /// The actions that were performed, the oldest first.
    #[serde(default)]
    pub(super) acts: Vec<Act>,
    /// The facts that were removed automatically, the oldest first.
    #[serde(default)]
    pub(super) gone: Vec<LostFact>,
    /// The key and the result of the last import.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) taken_in: Option<(String, ImportResult)>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Act {
    pub(super) key: String,
    pub(super) did: ActionResult,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ActionResult {
    Kept(Vec<SaveResult>),
    Used(SearchResult),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SearchResult {
    pub(super) ids: Vec<FactId>,
    pub(super) matched: usize,
    pub(super) total: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LostFact {
    pub(super) id: FactId,
    pub(super) why: Loss,
}

/// The reason for which a fact was removed automatically.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// The fact's tier was full, and the fact had the lowest value.
    MadeRoom,
    /// The fact expired.
    Expired,
    /// Another fact replaced this one.
    Replaced,
}

/// The result of saving a draft. The result doesn't contain the fact's text, so that no copy of the
/// text remains when the user deletes the fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SaveResult {
    /// The draft was saved as this fact.
    Kept(FactId),
    /// An equal fact was known already. The confidence of the known fact may have increased.
    Known(FactId),
    /// The draft was refused.
    Refused(Refusal),
}

/// The result of saving a draft, with the draft's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The draft's text.
    pub content: String,
    /// The result of saving the draft.
    pub became: SaveResult,
    /// The text of the fact that the saved fact replaced, if any.
    pub replaced: Option<String>,
}

impl Facts {
    /// Returns all facts, in no particular order.
    pub fn all(&self) -> &[Fact] {
        &self.known
    }

    /// Returns the fact with this id.
    pub fn get(&self, id: &FactId) -> Option<&Fact> {
        self.known.iter().find(|fact| fact.id == *id)
    }

    /// Returns the facts that were removed automatically, with the reasons. Only the last 100 are
    /// stored.
    pub fn lost(&self) -> impl Iterator<Item = (&FactId, Loss)> {
        self.gone.iter().map(|gone| (&gone.id, gone.why))
    }

    /// Removes the facts that have expired.
    pub fn expire(&mut self, now_ms: u64) {
        let known = std::mem::take(&mut self.known).into_iter();
        let (over, known): (Vec<Fact>, Vec<Fact>) = known.partition(|fact| fact.is_over(now_ms));
        self.known = known;
        for fact in over {
            self.record_loss(fact.id, Loss::Expired);
        }
    }

    /// Counts a use of the first `bearing` facts in `used`, the result of a search. If the action
    /// `act` was counted before, returns the result of the first time instead.
    pub(super) fn mark_used(
        &mut self,
        used: SearchResult,
        bearing: usize,
        act: &str,
        now_ms: u64,
    ) -> SearchResult {
        let known = self.acts.iter().find(|known| known.key == act);
        if let Some(ActionResult::Used(used)) = known.map(|known| known.did.clone()) {
            return used;
        }
        let facts = self.known.iter_mut();
        let is_used = |fact: &&mut Fact| used.ids.iter().take(bearing).any(|id| *id == fact.id);
        for fact in facts.filter(is_used) {
            fact.uses = fact.uses.saturating_add(1);
            fact.used_at_ms = Some(now_ms);
        }
        self.note(act, ActionResult::Used(used.clone()));
        used
    }

    /// Pins or unpins a fact. A pinned fact is never removed automatically.
    pub fn pin(&mut self, id: &FactId, pinned: bool, now_ms: u64) {
        if let Some(fact) = self.known.iter_mut().find(|fact| fact.id == *id) {
            fact.pinned = pinned;
            if !pinned {
                // If the fact expired while it was pinned, its time to live starts again now.
                let expires = fact.expires_at_ms;
                fact.expires_at_ms = match expires {
                    Some(at_ms) if at_ms <= now_ms => fact.tier.expires_at_ms(now_ms),
                    other => other,
                };
            }
        }
    }

    /// Removes a fact at the user's request.
    pub fn forget(&mut self, id: &FactId) {
        self.known.retain(|fact| fact.id != *id);
    }

    /// Undoes the user's deletion of a fact: the fact is restored completely. If a fact with the
    /// same words has been saved since the deletion, the two facts are merged. A second call
    /// changes nothing.
    ///
    /// Returns false if the fact's tier has become full. No other fact is removed, because the user
    /// did not agree to that.
    pub fn undo_delete(&mut self, mut fact: Fact, now_ms: u64) -> bool {
        self.expire(now_ms);
        if self.get(&fact.id).is_some() {
            return true;
        }
        let is_same = |known: &&mut Fact| same_words(&known.content, &fact.content);
        if let Some(known) = self.known.iter_mut().find(is_same) {
            known.absorb(&fact);
            return true;
        }
        if self.count(fact.tier) >= fact.tier.most() {
            return false;
        }
        if fact.is_over(now_ms) {
            fact.expires_at_ms = fact.tier.expires_at_ms(now_ms);
        }
        self.restore(fact);
        true
    }

    /// Undoes an action of the user. If `written` is an id, the user wrote that fact in place of
    /// `facts`: `written` is removed, and `facts` are restored. If `written` is `None`, the user
    /// deleted `facts`, and they are restored. A second call changes nothing. Returns false and
    /// changes nothing if a tier has become full.
    pub fn undo_edit(&mut self, written: Option<&FactId>, facts: &[Fact], now_ms: u64) -> bool {
        let before = self.clone();
        if let Some(id) = written.filter(|_| !facts.iter().all(|it| self.has_same_text(it))) {
            self.forget(id);
        }
        let is_done = facts.iter().all(|it| self.undo_delete(it.clone(), now_ms));
        if !is_done {
            *self = before;
        }
        is_done
    }

    /// Returns true if a fact with this id and the same text is known.
    fn has_same_text(&self, fact: &Fact) -> bool {
        let known = self.get(&fact.id);
        known.is_some_and(|known| known.content == fact.content)
    }

    /// Undoes the saving of a fact. If the fact had replaced an older one, the older fact is
    /// restored.
    pub fn undo(&mut self, id: &FactId, now_ms: u64) {
        let Some(at) = self.known.iter().position(|fact| fact.id == *id) else {
            return;
        };
        let Some(replaced) = self.known.remove(at).replaced else {
            return;
        };
        let mut older = *replaced.fact;
        older.expires_at_ms = older.tier.expires_at_ms(now_ms);
        self.restore(older);
        self.fit(now_ms);
    }

    /// Adds a fact again. The reason for which it was removed is deleted.
    pub(super) fn restore(&mut self, fact: Fact) {
        self.gone.retain(|gone| gone.id != fact.id);
        self.known.retain(|known| known.id != fact.id);
        self.known.push(fact);
    }

    /// Stores the reason for which a fact was removed automatically.
    pub(super) fn record_loss(&mut self, id: FactId, why: Loss) {
        self.gone.retain(|gone| gone.id != id);
        self.gone.push(LostFact { id, why });
        let over = self.gone.len().saturating_sub(MOST_GONE);
        self.gone.drain(..over);
    }

    pub(super) fn note(&mut self, key: &str, did: ActionResult) {
        self.acts.push(Act {
            key: key.to_owned(),
            did,
        });
        let over = self.acts.len().saturating_sub(MOST_ACTS);
        self.acts.drain(..over);
    }
}
