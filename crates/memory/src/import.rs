//! Imports facts from a file.
//!
//! Example: the user imports a file that was exported last year. According to the dates in
//! the file, its facts have expired. They are imported nevertheless, and their time to live starts
//! today. The facts that Gloss has learned since the export don't change. The facts of the file
//! fill the free space of the tiers, those with the highest value first. For each fact that is
//! skipped, the reason is counted.

use super::document::{ImportError, facts_of};
use super::same_words::same_words;
use super::{Fact, Facts};
use gloss_durable::sorted::{SortedMap, sort_by};
use serde::{Deserialize, Serialize};

/// The earliest plausible time: the start of 2020, in milliseconds since the Unix epoch. Gloss did
/// not exist before. An earlier time in a file is wrong: it is in seconds, or the user edited it.
const EARLIEST_MS: u64 = 1_577_836_800_000;

/// The reason for which a fact of a file is skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// The fact is known already, or is in the file twice.
    Known,
    /// The fact contains a secret.
    Secret,
    /// The fact is empty or too long.
    Malformed,
    /// The entry doesn't have the format of a fact.
    Unreadable,
    /// The fact's tier is full.
    NoRoom,
}

/// The result of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportResult {
    /// The number of facts that were added.
    pub facts: usize,
    /// The number of facts that were skipped, for each reason.
    pub left_out: SortedMap<SkipReason, usize>,
}

impl ImportResult {
    fn leave(&mut self, why: SkipReason) {
        *self.left_out.or_default(why) += 1;
    }
}

impl Facts {
    /// Imports the facts of a file. Known facts don't change. The result is stored with the facts.
    /// A second import with the same key returns the stored result and changes nothing.
    ///
    /// # Errors
    /// The file can't be read as facts. Nothing was changed.
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
        // Even a pinned fact of the file can't replace a known fact.
        if self.count(fact.tier) >= fact.tier.most() {
            return Err(SkipReason::NoRoom);
        }
        fact.created_at_ms = plausible(fact.created_at_ms, now_ms);
        // The time to live starts today, even if the fact had expired before.
        fact.expires_at_ms = fact.tier.expires_at_ms(now_ms);
        self.restore(fact);
        Ok(())
    }
}

/// Returns a time from a file if the time is plausible, otherwise the time of the import.
fn plausible(at_ms: u64, now_ms: u64) -> u64 {
    if at_ms < EARLIEST_MS {
        now_ms
    } else {
        at_ms.min(now_ms)
    }
}

/// Compares facts: pinned ones come first, then those with the higher value.
fn worth_more_first(one: &Fact, other: &Fact, now_ms: u64) -> std::cmp::Ordering {
    let pinned = other.pinned.cmp(&one.pinned);
    pinned.then(other.value(now_ms).total_cmp(&one.value(now_ms)))
}
