//! Limits the number of facts in each tier. The fact with the lowest value is removed first. Pinned
//! facts are never removed.

use super::{Facts, Loss, Tier};

impl Facts {
    /// Removes facts until the tier has space for one more. Returns `false` and removes nothing if
    /// pinned facts fill the tier.
    pub(super) fn make_room(&mut self, tier: Tier, now_ms: u64) -> bool {
        let pinned = |fact: &&super::Fact| fact.tier == tier && fact.pinned;
        if self.known.iter().filter(pinned).count() >= tier.most() {
            return false;
        }
        self.shrink(tier, tier.most() - 1, now_ms);
        true
    }

    /// Removes unpinned facts until no tier exceeds its limit. Pinned facts stay even above the
    /// limit.
    pub(super) fn fit(&mut self, now_ms: u64) {
        for tier in Tier::ALL {
            self.shrink(tier, tier.most(), now_ms);
        }
    }

    /// Removes unpinned facts of the tier until at most `most` facts are left in it.
    fn shrink(&mut self, tier: Tier, most: usize, now_ms: u64) {
        while self.count(tier) > most {
            let Some(at) = self.least(tier, now_ms) else {
                break;
            };
            let fact = self.known.remove(at);
            self.record_loss(fact.id, Loss::MadeRoom);
        }
    }

    /// Returns the number of facts of a tier.
    pub fn count(&self, tier: Tier) -> usize {
        self.known.iter().filter(|fact| fact.tier == tier).count()
    }

    /// Returns the index of the fact with the lowest value in a tier. If two have the same value,
    /// the older one is chosen. `None` if the tier has no unpinned fact.
    fn least(&self, tier: Tier, now_ms: u64) -> Option<usize> {
        let may_go = |(_, fact): &(usize, &super::Fact)| fact.tier == tier && !fact.pinned;
        let facts = self.known.iter().enumerate().filter(may_go);
        let least = facts.min_by(|(_, one), (_, other)| {
            let values = one.value(now_ms).total_cmp(&other.value(now_ms));
            values.then(one.created_at_ms.cmp(&other.created_at_ms))
        });
        least.map(|(at, _)| at)
    }
}
