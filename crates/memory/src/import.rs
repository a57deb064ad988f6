//! A file with facts, and what of it is taken in.
//!
//! Driving example: a copy made last year is read in on a machine that has learned since. Its
//! facts are known again, though their time was over by the file's own dates: the person brings
//! them back, and from today on they last as long as their tiers do. What is known there stays
//! as it is: the facts of the file fill the room that is left, the most valuable first, and
//! each that is left out has a reason.

use super::document::{NoFile, facts_of};
use super::same_words::same_words;
use super::{Fact, Facts};
use gloss_durable::sorted::{SortedMap, sort_by};
use serde::{Deserialize, Serialize};

/// Nothing was told to a Gloss before 2020, which there was none of yet: a file that says so
/// counts in seconds, or was written by hand. In milliseconds since the Unix epoch.
const EARLIEST_MS: u64 = 1_577_836_800_000;

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
    /// It is not written as a fact is.
    Unreadable,
    /// Its tier is full.
    NoRoom,
}

/// What became of a file's facts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakenIn {
    /// How many are known now that were not.
    pub facts: usize,
    /// How many are not, and why.
    pub left_out: SortedMap<LeftOut, usize>,
}

impl TakenIn {
    fn leave(&mut self, why: LeftOut) {
        *self.left_out.or_default(why) += 1;
    }
}

impl Facts {
    /// Takes in what a file holds; what is known already stays as it is. Done again under the
    /// same act it says the same and changes nothing: it stands with the facts that came in.
    ///
    /// # Errors
    /// When it is no file with facts: nothing was changed.
    pub fn import(&mut self, text: &str, act: &str, now_ms: u64) -> Result<TakenIn, NoFile> {
        let last = self.taken_in.as_ref();
        if let Some((_, taken)) = last.filter(|(done, _)| done == act) {
            return Ok(taken.clone());
        }
        let read = facts_of(text)?;
        self.expire(now_ms);
        let mut taken = TakenIn::default();
        let mut facts = Vec::new();
        for fact in read {
            match fact {
                Ok(fact) => facts.push(fact),
                Err(why) => taken.leave(why),
            }
        }
        sort_by(&mut facts, |one, other| {
            worth_more_first(one, other, now_ms)
        });
        for fact in facts {
            match self.take_in(fact, now_ms) {
                Ok(()) => taken.facts += 1,
                Err(why) => taken.leave(why),
            }
        }
        self.taken_in = Some((act.to_owned(), taken.clone()));
        Ok(taken)
    }

    fn take_in(&mut self, mut fact: Fact, now_ms: u64) -> Result<(), LeftOut> {
        let is_same =
            |known: &Fact| known.id == fact.id || same_words(&known.content, &fact.content);
        if self.known.iter().any(is_same) {
            return Err(LeftOut::Known);
        }
        // Pinned or not: what a file says takes no place from what is known.
        if self.count(fact.tier) >= fact.tier.most() {
            return Err(LeftOut::NoRoom);
        }
        fact.created_at_ms = plausible(fact.created_at_ms, now_ms);
        // Kept from today on, and one that is known to be gone, too.
        fact.expires_at_ms = fact.tier.expires_at_ms(now_ms);
        self.bring_back(fact);
        Ok(())
    }
}

/// When a file says that something was; where that cannot be, no more is known than that it is
/// read in now.
fn plausible(at_ms: u64, now_ms: u64) -> u64 {
    if at_ms < EARLIEST_MS {
        now_ms
    } else {
        at_ms.min(now_ms)
    }
}

/// What is pinned first, then by value; in the file's order what is worth the same.
fn worth_more_first(one: &Fact, other: &Fact, now_ms: u64) -> std::cmp::Ordering {
    let pinned = other.pinned.cmp(&one.pinned);
    pinned.then(other.value(now_ms).total_cmp(&one.value(now_ms)))
}
