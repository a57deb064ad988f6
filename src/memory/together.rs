//! Facts that are saved in one call.
//!
//! Driving example: "Lives in Berlin" and "Lives in Berlin, Germany" in one call are one fact, in
//! the words that say more. "Spends winters in Oslo" and what jars with it were both said at
//! once: neither is the newer one, and both stand (DETAILS §5: one call saves many).

use super::Draft;
use super::judge::judge;
use super::likeness::{Essence, Likeness, says_more};

/// A draft of a call, made one with those behind it that say the same.
pub(super) struct Gathered {
    pub(super) draft: Draft,
    /// The place of the one that says it already, if one before does.
    pub(super) said_by: Option<usize>,
}

/// The drafts of a call in their places. What may not be kept is left by itself.
pub(super) fn gathered(drafts: &[Draft]) -> Vec<Gathered> {
    let mut all: Vec<Gathered> = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let said = judge(draft).is_ok().then(|| Essence::of(&draft.content));
        let same = |one: &Gathered| {
            let is_one = one.said_by.is_none() && one.draft.stands_for(draft);
            let likeness = |said: &Essence| Essence::of(&one.draft.content).likeness(said);
            is_one
                && judge(&one.draft).is_ok()
                && said.as_ref().map(likeness) == Some(Likeness::Same)
        };
        let said_by = all.iter().position(same);
        if let Some(one) = said_by.and_then(|place| all.get_mut(place)) {
            one.draft.take_in(draft);
        }
        all.push(Gathered {
            draft: draft.clone(),
            said_by,
        });
    }
    all
}

impl Draft {
    /// Whether it may stand for one that says the same: no more than one fact goes for it.
    fn stands_for(&self, other: &Self) -> bool {
        self.replaces.is_none() || other.replaces.is_none() || self.replaces == other.replaces
    }

    fn take_in(&mut self, other: &Self) {
        if says_more(&other.content, &self.content) {
            self.content.clone_from(&other.content);
        }
        self.category = self.category.or(other.category);
        self.tier = match (self.tier, other.tier) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        self.confidence = match (self.confidence, other.confidence) {
            (Some(one), Some(other)) => Some(one.max(other)),
            (one, other) => one.or(other),
        };
        self.keywords.extend(other.keywords.iter().cloned());
        self.replaces = self.replaces.take().or_else(|| other.replaces.clone());
        self.by_itself &= other.by_itself;
    }
}
