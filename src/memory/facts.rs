//! What is known, and how it changes: no clock, no storage, no chance.
//!
//! Driving example: a note under an answer says "Remembered: … Undo". The person presses it
//! a week later on another machine, whose clock is behind: the fact goes there, and wherever
//! it is known. How drafts become facts stands in `keeping`.

use super::judge::Refusal;
use super::likeness::{Essence, Likeness};
use super::{Fact, FactId, TakenIn};
use serde::{Deserialize, Serialize};

/// How many acts are known by their keys: far more than are ever in flight.
const MOST_ACTS: usize = 64;

/// How many facts are known to be gone: other machines forget them by it.
const MOST_GONE: usize = 100;

/// All that is known.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    #[serde(rename = "facts")]
    pub(super) known: Vec<Fact>,
    /// The acts that were done, the oldest first.
    #[serde(default)]
    pub(super) acts: Vec<Act>,
    /// What was forgotten, the oldest first.
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
    pub(super) at_ms: u64,
    /// As far as this machine knows.
    #[serde(default)]
    pub(super) why: Loss,
}

/// Why a fact is gone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// The person wanted it, here or on another machine.
    #[default]
    Forgotten,
    /// Its tier was full, and it was worth least.
    MadeRoom,
    /// Its time was over.
    Expired,
    /// Another stands in its place.
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
    /// What it says instead of, if that was known.
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
        let lost = self.gone.iter().filter(|gone| gone.why != Loss::Forgotten);
        lost.map(|gone| (&gone.id, gone.why))
    }

    /// Lets go of what is over: of what another machine knows of it, too, unless that changed
    /// later.
    pub fn expire(&mut self, now_ms: u64) {
        let known = std::mem::take(&mut self.known).into_iter();
        let (over, known): (Vec<Fact>, Vec<Fact>) = known.partition(|fact| fact.is_over(now_ms));
        self.known = known;
        for fact in over {
            self.mourn(fact.id, fact.changed_at_ms, Loss::Expired);
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
            fact.change(now_ms);
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
    pub fn forget(&mut self, id: &FactId, now_ms: u64) {
        if let Some(at) = self.known.iter().position(|fact| fact.id == *id) {
            let fact = self.known.remove(at);
            self.lose(&fact, Loss::Forgotten, now_ms);
        }
    }

    /// Takes back that the person erased a fact: it is known again, whole, wherever it was known.
    /// What says the same was told since then, and stands for it. Done twice, it is done once.
    /// False where its tier has been filled since: nothing makes room for it unasked.
    pub fn unforget(&mut self, mut fact: Fact, now_ms: u64) -> bool {
        self.expire(now_ms);
        if self.get(&fact.id).is_some() {
            return true;
        }
        let said = Essence::of(&fact.content);
        let is_same =
            |known: &&mut Fact| Essence::of(&known.content).likeness(&said) == Likeness::Same;
        if let Some(known) = self.known.iter_mut().find(is_same) {
            let mut both = known.clone();
            both.absorb(&fact);
            if both != *known {
                both.change(now_ms);
                *known = both;
            }
            return true;
        }
        if self.count(fact.tier) >= fact.tier.most() {
            return false;
        }
        if fact.is_over(now_ms) {
            fact.expires_at_ms = fact.tier.expires_at_ms(now_ms);
        }
        self.bring_back(fact, now_ms);
        true
    }

    /// Takes back that the person erased a fact, or wrote one (`written`) for which these went:
    /// that one goes, and these are known again. Done twice, it is done once. False, and nothing
    /// has changed, where a tier has been filled since.
    pub fn take_back(&mut self, written: Option<&FactId>, facts: &[Fact], now_ms: u64) -> bool {
        let before = self.clone();
        if let Some(id) = written.filter(|_| !facts.iter().all(|it| self.stands_as_it_was(it))) {
            self.forget(id, now_ms);
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

    /// Takes back that a fact was kept: what stood in its place is so again, whole.
    pub fn undo(&mut self, id: &FactId, now_ms: u64) {
        let Some(at) = self.known.iter().position(|fact| fact.id == *id) else {
            return;
        };
        let mut fact = self.known.remove(at);
        self.lose(&fact, Loss::Forgotten, now_ms);
        let Some(replaced) = fact.replaced.take() else {
            return;
        };
        let mut older = match replaced.fact {
            Some(older) => *older,
            // An earlier Gloss kept no more of it than its words.
            None => Fact {
                id: FactId(format!("{}.before", id.0)),
                content: replaced.content,
                ..fact
            },
        };
        older.expires_at_ms = older.tier.expires_at_ms(now_ms);
        self.bring_back(older, now_ms);
        self.fit(now_ms);
    }

    /// Has a fact be known again, wherever it is known to be gone.
    pub(super) fn bring_back(&mut self, mut fact: Fact, now_ms: u64) {
        fact.changed_at_ms = self.no_longer_gone(&fact.id);
        fact.change(now_ms);
        self.known.retain(|known| known.id != fact.id);
        self.known.push(fact);
    }

    /// That a fact is known again: when it went, by the clock of whoever lost it; 0 if it did not.
    pub(super) fn no_longer_gone(&mut self, id: &FactId) -> u64 {
        let gone = self.gone.iter().find(|gone| gone.id == *id);
        let at_ms = gone.map_or(0, |gone| gone.at_ms);
        self.gone.retain(|gone| gone.id != *id);
        at_ms
    }

    /// A fact that was taken out is gone: on every machine, whatever its clock said.
    pub(super) fn lose(&mut self, fact: &Fact, why: Loss, now_ms: u64) {
        self.mourn(fact.id.clone(), now_ms.max(fact.changed_at_ms), why);
    }

    pub(super) fn mourn(&mut self, id: FactId, at_ms: u64, why: Loss) {
        self.gone.retain(|gone| gone.id != id);
        self.gone.push(Gone { id, at_ms, why });
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

impl Fact {
    /// Something of it changes: later than what is known of it, whatever another machine's
    /// clock said.
    pub(super) fn change(&mut self, now_ms: u64) {
        self.changed_at_ms = now_ms.max(self.changed_at_ms.saturating_add(1));
    }
}
