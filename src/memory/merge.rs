//! What two machines know, made one.
//!
//! Driving example: a fact was edited on one machine and erased on another. What happened
//! last holds; at the same instant it is gone. Whoever merges what with what, and how often,
//! comes to the same: of each fact the copy that changed last, of two such the one whose
//! text comes last, with the most uses of both. What both were told apart, in other facts,
//! is one fact then: of two that say the same or say it otherwise the later change stands
//! ([`likeness`](super::likeness)), and knows what it stands for. What the person wrote or pinned
//! gives way to nothing that a model saved elsewhere: nobody is asked here, and there is no Undo,
//! so that both stand where they jar, and their own words where both say the same.

use super::facts::Gone;
use super::likeness::{Essence, Likeness, says_more};
use super::{Fact, Facts, Loss};
use serde::{Deserialize, Serialize};

/// What is given to the person's other machines of one fact: it, or that it is gone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Synced {
    /// It is known.
    Fact(Box<Fact>),
    /// It was forgotten, when.
    Gone(u64),
}

impl Facts {
    /// Everything that other machines are to know, by its id: what is gone first, as where room
    /// ends, what was forgotten must not come back.
    pub fn to_sync(&self) -> Vec<(String, Synced)> {
        let facts = self.known.iter();
        let facts = facts.map(|fact| (fact.id.0.clone(), Synced::Fact(Box::new(fact.shared()))));
        let gone = self.gone.iter();
        let gone = gone.map(|gone| (gone.id.0.clone(), Synced::Gone(gone.at_ms)));
        gone.chain(facts).collect()
    }

    /// Takes in what another machine knows.
    pub fn merge(&mut self, others: Vec<(String, Synced)>, now_ms: u64) {
        for (id, synced) in others {
            match synced {
                Synced::Fact(fact) if fact.id.0 == id => self.merge_one(*fact),
                Synced::Fact(_) => {}
                Synced::Gone(at_ms) => self.merge_gone(Gone {
                    id: super::FactId(id),
                    at_ms,
                    // That is between whoever lost it and the person.
                    why: Loss::Forgotten,
                }),
            }
        }
        self.expire(now_ms);
        self.settle();
        self.gone
            .sort_by(|one, other| (one.at_ms, &one.id).cmp(&(other.at_ms, &other.id)));
        self.fit(now_ms);
    }

    /// Has one fact stand where several say the same, or say it otherwise. What is left follows
    /// from the facts alone, and not from where they stood or who asks.
    fn settle(&mut self) {
        loop {
            let before = self.known.len();
            let mut facts = std::mem::take(&mut self.known);
            facts.sort_by_cached_key(|fact| (fact.changed_at_ms, text_of(fact)));
            let mut stand: Vec<(Essence, Fact)> = Vec::new();
            for fact in facts.into_iter().rev() {
                let said = Essence::of(&fact.content);
                let newer = stand.iter_mut().find_map(|(essence, newer)| {
                    let likeness = essence.likeness(&said);
                    let jars = likeness == Likeness::Otherwise;
                    let gives_way = !(jars && fact.is_the_persons()) || newer.is_the_persons();
                    (likeness != Likeness::Apart && gives_way).then_some((essence, newer, likeness))
                });
                let Some((essence, newer, likeness)) = newer else {
                    stand.push((said, fact));
                    continue;
                };
                newer.stand_for(&fact, likeness);
                *essence = Essence::of(&newer.content);
                self.mourn(fact.id, fact.changed_at_ms, Loss::Replaced);
            }
            self.known = stand.into_iter().map(|(_, fact)| fact).collect();
            // More words may be like others than there were.
            if self.known.len() == before {
                break;
            }
        }
        self.known.sort_by(|one, other| one.id.cmp(&other.id));
    }

    fn merge_one(&mut self, mut fact: Fact) {
        let gone = self.gone.iter().find(|gone| gone.id == fact.id);
        if gone.is_some_and(|gone| gone.at_ms >= fact.changed_at_ms) {
            return;
        }
        self.gone.retain(|gone| gone.id != fact.id);
        let Some(known) = self.known.iter_mut().find(|known| known.id == fact.id) else {
            self.known.push(fact);
            return;
        };
        let (uses, used_at_ms) = (
            known.uses.max(fact.uses),
            known.used_at_ms.max(fact.used_at_ms),
        );
        let times = fact.changed_at_ms.cmp(&known.changed_at_ms);
        if times
            .then_with(|| text_of(&fact).cmp(&text_of(known)))
            .is_gt()
        {
            fact.source
                .conversations
                .clone_from(&known.source.conversations);
            *known = fact;
        }
        known.uses = uses;
        known.used_at_ms = used_at_ms;
    }

    fn merge_gone(&mut self, gone: Gone) {
        let known = self.gone.iter().find(|known| known.id == gone.id);
        if known.is_some_and(|known| known.at_ms >= gone.at_ms) {
            return;
        }
        let newer = |fact: &Fact| fact.id == gone.id && fact.changed_at_ms > gone.at_ms;
        if self.known.iter().any(newer) {
            return;
        }
        self.known.retain(|fact| fact.id != gone.id);
        self.mourn(gone.id, gone.at_ms, gone.why);
    }
}

impl Fact {
    /// Stands for one that changed earlier, from now on and wherever it is known: that is a
    /// change, the same on every machine.
    fn stand_for(&mut self, older: &Self, likeness: Likeness) {
        if likeness == Likeness::Same {
            let takes_words = match (older.is_worded(), self.is_worded()) {
                (true, false) => true,
                (false, true) => false,
                (..) => says_more(&older.content, &self.content),
            };
            if takes_words {
                self.content.clone_from(&older.content);
            }
            self.absorb(older);
            self.tier = self.tier.min(older.tier);
            let both = self.expires_at_ms.zip(older.expires_at_ms);
            self.expires_at_ms = both.map(|(one, other)| one.max(other));
        } else {
            let known = self.replaced.take();
            self.take_over(older, self.changed_at_ms);
            // One is kept for an Undo: what it stood in the place of first.
            self.replaced = known.or(self.replaced.take());
        }
        self.change(self.changed_at_ms);
    }
}

/// All of a fact that is the same wherever it is known, as a text.
fn text_of(fact: &Fact) -> String {
    let fact = Fact {
        uses: 0,
        used_at_ms: None,
        ..fact.shared()
    };
    // Fails for no value of this type: every key is a text.
    serde_json::to_string(&fact).unwrap_or_default()
}
