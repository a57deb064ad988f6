//! What is known, and how it changes: no clock, no storage, no chance.
//!
//! Driving example: a note under an answer says "Remembered: … Undo". The user presses it a
//! week later: the fact goes, and the one that it replaced is known again, whole. How drafts
//! become facts is in `keeping`.

use super::judge::Refusal;
use super::same_words::same_words;
use super::{Fact, FactId, TakenIn};
use serde::{Deserialize, Serialize};

/// How many acts are known by their keys: far more than are ever in flight.
const MOST_ACTS: usize = 64;

/// For how many facts that went it is known why.
const MOST_GONE: usize = 100;

/// All that is known.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    #[serde(rename = "facts")]
    pub(super) known: Vec<Fact>,
    /// The acts that were done, the oldest first.
    #[serde(default)]
    pub(super) acts: Vec<Act>,
    /// The facts that went without the user having forgotten them, the oldest first.
    #[serde(default)]
    pub(super) gone: Vec<Gone>,
    /// The file that was read in last, and what became of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) taken_in: Option<(String, TakenIn)>,
}

/// An act, and what it did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Act {
    pub(super) key: String,
    pub(super) did: Did,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Did {
    Kept(Vec<Became>),
    Used(Used),
}

/// What a look-up gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Used {
    pub(super) ids: Vec<FactId>,
    pub(super) matched: usize,
    pub(super) total: usize,
}

/// A fact that is gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Gone {
    pub(super) id: FactId,
    pub(super) why: Loss,
}

/// Why a fact went that the user did not forget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// Its tier was full, and it was worth least.
    MadeRoom,
    /// Its time was over.
    Expired,
    /// Another fact replaced it.
    Replaced,
}

/// What became of a draft. No words of it stand here: what is forgotten is gone whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Became {
    /// It is kept.
    Kept(FactId),
    /// It was known; that is now surer.
    Known(FactId),
    /// It is not kept.
    Refused(Refusal),
}

/// What became of a draft, with its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// What was to be kept.
    pub content: String,
    /// What became of it.
    pub became: Became,
    /// The content of the fact that it replaced.
    pub replaced: Option<String>,
}

impl Facts {
    /// All that are known, in no order that means anything.
    pub fn all(&self) -> &[Fact] {
        &self.known
    }

    /// A fact.
    pub fn get(&self, id: &FactId) -> Option<&Fact> {
        self.known.iter().find(|fact| fact.id == *id)
    }

    /// The facts that went without the person having forgotten them, as far back as that is
    /// kept, and why.
    pub fn lost(&self) -> impl Iterator<Item = (&FactId, Loss)> {
        self.gone.iter().map(|gone| (&gone.id, gone.why))
    }

    /// Lets go of the facts whose time is over.
    pub fn expire(&mut self, now_ms: u64) {
        let known = std::mem::take(&mut self.known).into_iter();
        let (over, known): (Vec<Fact>, Vec<Fact>) = known.partition(|fact| fact.is_over(now_ms));
        self.known = known;
        for fact in over {
            self.lose(fact.id, Loss::Expired);
        }
    }

    /// Marks the first `bearing` of what a look-up gives as used, once for each act; gives what
    /// this act gave.
    pub(super) fn mark_used(&mut self, used: Used, bearing: usize, act: &str, now_ms: u64) -> Used {
        let known = self.acts.iter().find(|known| known.key == act);
        if let Some(Did::Used(used)) = known.map(|known| known.did.clone()) {
            return used;
        }
        let facts = self.known.iter_mut();
        let is_used = |fact: &&mut Fact| used.ids.iter().take(bearing).any(|id| *id == fact.id);
        for fact in facts.filter(is_used) {
            fact.uses = fact.uses.saturating_add(1);
            fact.used_at_ms = Some(now_ms);
        }
        self.note(act, Did::Used(used.clone()));
        used
    }

    /// Pins a fact, so that it never goes by itself, or no longer does.
    pub fn pin(&mut self, id: &FactId, pinned: bool, now_ms: u64) {
        if let Some(fact) = self.known.iter_mut().find(|fact| fact.id == *id) {
            fact.pinned = pinned;
            if !pinned {
                // What was over long ago is not gone the moment that it is let go of.
                let expires = fact.expires_at_ms;
                fact.expires_at_ms = match expires {
                    Some(at_ms) if at_ms <= now_ms => fact.tier.expires_at_ms(now_ms),
                    other => other,
                };
            }
        }
    }

    /// Forgets a fact.
    pub fn forget(&mut self, id: &FactId) {
        self.known.retain(|fact| fact.id != *id);
    }

    /// Takes back that the person erased a fact: it is known again, whole. A fact with the same
    /// words that was told since then takes it in. Done twice, it is done once.
    /// False where its tier has been filled since: nothing makes room for it unasked.
    pub fn unforget(&mut self, mut fact: Fact, now_ms: u64) -> bool {
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
        self.bring_back(fact);
        true
    }

    /// Takes back that the person erased a fact, or wrote one (`written`) for which these went:
    /// that one goes, and these are known again. Done twice, it is done once. False, and nothing
    /// has changed, where a tier has been filled since.
    pub fn take_back(&mut self, written: Option<&FactId>, facts: &[Fact], now_ms: u64) -> bool {
        let before = self.clone();
        if let Some(id) = written.filter(|_| !facts.iter().all(|it| self.stands_as_it_was(it))) {
            self.forget(id);
        }
        let is_done = facts.iter().all(|it| self.unforget(it.clone(), now_ms));
        if !is_done {
            *self = before;
        }
        is_done
    }

    /// Whether a fact is known in the words that it had.
    fn stands_as_it_was(&self, fact: &Fact) -> bool {
        let known = self.get(&fact.id);
        known.is_some_and(|known| known.content == fact.content)
    }

    /// Takes back that a fact was kept: the one that it replaced is known again, whole.
    pub fn undo(&mut self, id: &FactId, now_ms: u64) {
        let Some(at) = self.known.iter().position(|fact| fact.id == *id) else {
            return;
        };
        let Some(replaced) = self.known.remove(at).replaced else {
            return;
        };
        let mut older = *replaced.fact;
        older.expires_at_ms = older.tier.expires_at_ms(now_ms);
        self.bring_back(older);
        self.fit(now_ms);
    }

    /// Has a fact be known again.
    pub(super) fn bring_back(&mut self, fact: Fact) {
        self.gone.retain(|gone| gone.id != fact.id);
        self.known.retain(|known| known.id != fact.id);
        self.known.push(fact);
    }

    /// Notes why a fact went that was taken out.
    pub(super) fn lose(&mut self, id: FactId, why: Loss) {
        self.gone.retain(|gone| gone.id != id);
        self.gone.push(Gone { id, why });
        let over = self.gone.len().saturating_sub(MOST_GONE);
        self.gone.drain(..over);
    }

    pub(super) fn note(&mut self, key: &str, did: Did) {
        self.acts.push(Act {
            key: key.to_owned(),
            did,
        });
        let over = self.acts.len().saturating_sub(MOST_ACTS);
        self.acts.drain(..over);
    }
}
