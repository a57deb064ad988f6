//! Import of facts from a file.
//!
//! Driving example: a copy made last year is imported on a machine that has learned more since. Its
//! facts are known again although they had expired by the file's dates: the user brings them back,
//! and from today they last as long as their tiers do. Known facts don't change. The file's facts
//! fill the remaining room, the most valuable first, and each one that is left out gets a reason.

use super::document::{ImportError, facts_of};
use super::same_words::same_words;
use super::{Fact, Facts};
use gloss_durable::sorted::{SortedMap, sort_by};
use serde::{Deserialize, Serialize};

/// The earliest plausible time, the start of 2020, in milliseconds since the Unix epoch. No Gloss
/// existed before; a file with an earlier time counts in seconds or was edited by hand.
const EARLIEST_MS: u64 = 1_577_836_800_000;

/// The reason for which a fact of a file is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// It is already known, or is in the file twice.
    Known,
    /// It contains a secret.
    Secret,
    /// It is empty or too long.
    Malformed,
    /// It isn't in the format of a fact.
    Unreadable,
    /// Its tier is full.
    NoRoom,
}

/// The result of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportResult {
    /// The number of facts that were added.
    pub facts: usize,
    /// The number of facts that were left out, by reason.
    pub left_out: SortedMap<SkipReason, usize>,
}

impl ImportResult {
    fn leave(&mut self, why: SkipReason) {
        *self.left_out.or_default(why) += 1;
    }
}

impl Facts {
    /// Imports the facts of a file; known facts don't change. The result is stored with the facts,
    /// so that the same action again returns it and changes nothing.
    ///
    /// # Errors
    /// The file can't be read as facts; nothing was changed.
    pub fn import(
        &mut self,
        text: &str,
        act: &str,
        now_ms: u64,
    ) -> Result<ImportResult, ImportError> {
        let last = self.taken_in.as_ref();
        if let Some((_, taken)) = last.filter(|(done, _)| done == act) {
            return Ok(taken.clone());
        }
        let read = facts_of(text)?;
        self.expire(now_ms);
        let mut taken = ImportResult::default();
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

    fn take_in(&mut self, mut fact: Fact, now_ms: u64) -> Result<(), SkipReason> {
        let is_same =
            |known: &Fact| known.id == fact.id || same_words(&known.content, &fact.content);
        if self.known.iter().any(is_same) {
            return Err(SkipReason::Known);
        }
        // Even a pinned fact of a file doesn't displace a known one.
        if self.count(fact.tier) >= fact.tier.most() {
            return Err(SkipReason::NoRoom);
        }
        fact.created_at_ms = plausible(fact.created_at_ms, now_ms);
        // The tier's time starts today, also for a fact that was removed before.
        fact.expires_at_ms = fact.tier.expires_at_ms(now_ms);
        self.restore(fact);
        Ok(())
    }
}

/// Returns a file's time if it is plausible, otherwise the time of the import.
fn plausible(at_ms: u64, now_ms: u64) -> u64 {
    if at_ms < EARLIEST_MS {
        now_ms
    } else {
        at_ms.min(now_ms)
    }
}

/// Orders pinned facts first, then by value.
fn worth_more_first(one: &Fact, other: &Fact, now_ms: u64) -> std::cmp::Ordering {
    let pinned = other.pinned.cmp(&one.pinned);
    pinned.then(other.value(now_ms).total_cmp(&one.value(now_ms)))
}
