//! A file with facts, and what of it is taken in.
//!
//! Driving example: a copy made last year is read in on a machine that has learned since. What
//! is known there stays as it is, and stays: the file's facts fill the room that is left, those
//! that are worth most first, and of each that does not come in there is a reason.

use super::document::{NoFile, facts_of};
use super::likeness::{Likeness, likeness};
use super::{Fact, Facts};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Why a fact of a file is not taken in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeftOut {
    /// It is known already, or stands in the file twice.
    Known,
    /// It may not be kept: a secret is in it.
    Secret,
    /// It says nothing, or too much.
    Malformed,
    /// Its time was over.
    Expired,
    /// Its tier is full.
    NoRoom,
}

/// What became of a file's facts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TakenIn {
    /// How many are known now that were not.
    pub facts: usize,
    /// How many are not, and why.
    pub left_out: BTreeMap<LeftOut, usize>,
}

impl TakenIn {
    fn leave(&mut self, why: LeftOut) {
        *self.left_out.entry(why).or_default() += 1;
    }
}

impl Facts {
    /// Takes in what a file holds; what is known already stays as it is.
    ///
    /// # Errors
    /// When it is no file with facts: nothing was changed.
    pub fn import(&mut self, text: &str, now_ms: u64) -> Result<TakenIn, NoFile> {
        let read = facts_of(text)?;
        self.expire(now_ms);
        let mut taken = TakenIn::default();
        let mut facts = Vec::new();
        for fact in read {
            match fact {
                Ok(fact) if fact.is_over(now_ms) => taken.leave(LeftOut::Expired),
                Ok(fact) => facts.push(fact),
                Err(refusal) if refusal.is_of_secrets() => taken.leave(LeftOut::Secret),
                Err(_) => taken.leave(LeftOut::Malformed),
            }
        }
        facts.sort_by(|one, other| worth_more_first(one, other, now_ms));
        for fact in facts {
            match self.take_in(fact, now_ms) {
                Ok(()) => taken.facts += 1,
                Err(why) => taken.leave(why),
            }
        }
        Ok(taken)
    }

    fn take_in(&mut self, mut fact: Fact, now_ms: u64) -> Result<(), LeftOut> {
        let same = |known: &Fact| {
            known.id == fact.id || likeness(&known.content, &fact.content, true) == Likeness::Same
        };
        if self.known.iter().any(same) {
            return Err(LeftOut::Known);
        }
        // Pinned or not: what a file says takes no place from what is known.
        if self.count(fact.tier) >= fact.tier.most() {
            return Err(LeftOut::NoRoom);
        }
        fact.created_at_ms = fact.created_at_ms.min(now_ms);
        if let Some(replaced) = &mut fact.replaced {
            replaced.at_ms = replaced.at_ms.min(now_ms);
        }
        // Kept from today on, and one that is known to be gone, too.
        fact.expires_at_ms = fact.tier.expires_at_ms(now_ms);
        self.bring_back(fact, now_ms);
        Ok(())
    }
}

/// What is pinned first, then by value; in the file's order what is worth the same.
fn worth_more_first(one: &Fact, other: &Fact, now_ms: u64) -> std::cmp::Ordering {
    let pinned = other.pinned.cmp(&one.pinned);
    pinned.then(other.value(now_ms).total_cmp(&one.value(now_ms)))
}
