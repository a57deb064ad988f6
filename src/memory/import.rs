//! A file with facts, and what of it is taken in.
//!
//! Driving example: a copy made last year is read in on a machine that has learned since. Its
//! facts are known again, though their time was over by the file's own dates: the person brings
//! them back, and from today on they last as long as their tiers do. What is known there stays
//! as it is, and stays: what the file says otherwise is left out, the rest fills the room that
//! is left, what is worth most first, and of each that does not come in there is a reason.

use super::document::{NoFile, facts_of};
use super::likeness::{Essence, Likeness};
use super::{Fact, Facts};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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
    /// What is known, or worth more in the file, says it otherwise.
    Otherwise,
    /// Its tier is full.
    NoRoom,
}

/// What became of a file's facts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
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
        facts.sort_by(|one, other| worth_more_first(one, other, now_ms));
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
        let said = Essence::of(&fact.content);
        let like: Vec<Likeness> = (self.known.iter())
            .map(|known| Essence::of(&known.content).likeness(&said))
            .collect();
        if self.get(&fact.id).is_some() || like.contains(&Likeness::Same) {
            return Err(LeftOut::Known);
        }
        if like.contains(&Likeness::Otherwise) {
            return Err(LeftOut::Otherwise);
        }
        // Pinned or not: what a file says takes no place from what is known.
        if self.count(fact.tier) >= fact.tier.most() {
            return Err(LeftOut::NoRoom);
        }
        fact.created_at_ms = plausible(fact.created_at_ms, now_ms);
        if let Some(replaced) = &mut fact.replaced {
            replaced.at_ms = plausible(replaced.at_ms, now_ms);
        }
        // Kept from today on, and one that is known to be gone, too.
        fact.expires_at_ms = fact.tier.expires_at_ms(now_ms);
        self.bring_back(fact, now_ms);
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
