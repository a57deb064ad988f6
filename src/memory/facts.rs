//! What is known, and how it changes: no clock, no storage, no chance.
//!
//! Driving example: `keep` is called with two drafts under an act's key. One is known
//! already and merges, one is a card number and is refused; called again under the same
//! key, by the life after a death, it reports the same and changes nothing.

use super::draft::{tidied, tidied_all};
use super::fact::usual;
use super::judge::{Refusal, judge, judge_typed};
use super::likeness::{Likeness, likeness};
use super::{Draft, Fact, FactId, Origin, Replaced};
use serde::{Deserialize, Serialize};

/// How many acts are known by their keys: far more than are ever in flight.
const MOST_ACTS: usize = 64;

/// How many facts are known to be gone: other machines forget them by it.
const MOST_GONE: usize = 100;

/// How many conversations a fact names.
const MOST_CONVERSATIONS: usize = 8;

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

/// A fact that was forgotten.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Gone {
    pub(super) id: FactId,
    pub(super) at_ms: u64,
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

    /// Lets go of what is over.
    pub fn expire(&mut self, now_ms: u64) {
        self.known.retain(|fact| !fact.is_over(now_ms));
    }

    /// Keeps what may be kept; a report for each draft, in order. Done again under the same
    /// act, it says the same and changes nothing.
    pub fn keep(&mut self, drafts: &[Draft], origin: &Origin) -> Vec<Report> {
        self.expire(origin.now_ms);
        let known = self.acts.iter().find(|act| act.key == origin.act);
        let became = match known.map(|act| act.did.clone()) {
            Some(Did::Kept(became)) => became,
            Some(Did::Used(_)) | None => {
                let drafts = drafts.iter().enumerate();
                let became: Vec<Became> = drafts
                    .map(|(place, draft)| self.keep_one(draft, place, origin))
                    .collect();
                self.note(&origin.act, Did::Kept(became.clone()));
                became
            }
        };
        let report = |(draft, became): (&Draft, Became)| {
            let replaced = match &became {
                Became::Kept(id) => self.get(id).and_then(|fact| fact.replaced.clone()),
                Became::Known(_) | Became::Refused(_) => None,
            };
            Report {
                content: tidied(&draft.content),
                became,
                replaced: replaced.map(|replaced| replaced.content),
            }
        };
        drafts.iter().zip(became).map(report).collect()
    }

    fn keep_one(&mut self, draft: &Draft, place: usize, origin: &Origin) -> Became {
        let confidence = draft.confidence.unwrap_or_else(usual);
        if let Err(refusal) = judge(&draft.content, confidence) {
            return Became::Refused(refusal);
        }
        let keywords = draft.keywords.iter();
        let mut words = keywords.chain(&draft.replaces);
        if words.any(|it| matches!(judge_typed(it), Err(refusal) if refusal.is_of_secrets())) {
            return Became::Refused(Refusal::Secret);
        }
        let content = tidied(&draft.content);
        let category = draft.category.unwrap_or_default();
        let alike = |fact: &Fact| likeness(&fact.content, &content, fact.category == category);
        let found = self.known.iter().position(|it| alike(it) == Likeness::Same);
        if let Some(fact) = found.and_then(|at| self.known.get_mut(at)) {
            fact.say_again(&content, draft, confidence, origin);
            return Became::Known(fact.id.clone());
        }
        let named = draft.replaces.as_deref().map(tidied);
        let otherwise = |fact: &Fact| {
            let is_named = named
                .as_deref()
                .is_some_and(|named| likeness(&fact.content, named, true).is_about_the_same());
            is_named || alike(fact) == Likeness::Otherwise
        };
        let older = self.known.iter().position(otherwise);
        let older = older.map(|at| self.known.remove(at));
        let id = origin.id(place);
        let mut fact = Fact {
            id: id.clone(),
            content,
            category,
            tier: draft.tier.unwrap_or_default(),
            confidence: confidence.clamp(0.0, 1.0),
            keywords: tidied_all(&draft.keywords),
            source: origin.source(draft.by_itself),
            created_at_ms: origin.now_ms,
            changed_at_ms: origin.now_ms,
            used_at_ms: None,
            uses: 0,
            expires_at_ms: None,
            pinned: false,
            replaced: None,
        };
        if let Some(older) = older.clone() {
            fact.tier = draft.tier.unwrap_or(older.tier);
            fact.take_over(older, origin.now_ms);
        }
        fact.expires_at_ms = fact.tier.expires_at_ms(origin.now_ms);
        if !self.make_room(fact.tier, origin.now_ms) {
            self.known.extend(older);
            return Became::Refused(Refusal::NoRoom);
        }
        if let Some(older) = older {
            self.mourn(older.id, origin.now_ms);
        }
        self.known.push(fact);
        Became::Kept(id)
    }

    /// Marks what a look-up gives as used, once for each act; gives what this act gave.
    pub(super) fn mark_used(&mut self, used: Used, act: &str, now_ms: u64) -> Used {
        let known = self.acts.iter().find(|known| known.key == act);
        if let Some(Did::Used(used)) = known.map(|known| known.did.clone()) {
            return used;
        }
        let facts = self.known.iter_mut();
        for fact in facts.filter(|fact| used.ids.contains(&fact.id)) {
            fact.uses = fact.uses.saturating_add(1);
            fact.used_at_ms = Some(now_ms);
        }
        self.note(act, Did::Used(used.clone()));
        used
    }

    /// Keeps what the person wrote themselves, new or in place of what it was: their word
    /// is not doubted, but secrets are refused, too. Done twice, it is done once.
    ///
    /// # Errors
    /// Why not; nothing was changed.
    pub fn write(&mut self, id: &FactId, draft: &Draft, now_ms: u64) -> Result<(), Refusal> {
        judge_typed(&draft.content)?;
        self.expire(now_ms);
        let content = tidied(&draft.content);
        if let Some(fact) = self.known.iter().find(|fact| fact.id == *id) {
            let tier = draft.tier.unwrap_or(fact.tier);
            if tier != fact.tier && !self.make_room(tier, now_ms) {
                return Err(Refusal::NoRoom);
            }
            if let Some(fact) = self.known.iter_mut().find(|fact| fact.id == *id) {
                fact.content = content;
                fact.category = draft.category.unwrap_or(fact.category);
                fact.tier = tier;
                fact.confidence = 1.0;
                fact.changed_at_ms = now_ms;
                fact.expires_at_ms = tier.expires_at_ms(now_ms);
                fact.replaced = None;
            }
            return Ok(());
        }
        let tier = draft.tier.unwrap_or_default();
        if !self.make_room(tier, now_ms) {
            return Err(Refusal::NoRoom);
        }
        let origin = Origin {
            act: String::new(),
            how: super::How::Typed,
            conversation: None,
            now_ms,
        };
        self.known.push(Fact {
            id: id.clone(),
            content,
            category: draft.category.unwrap_or_default(),
            tier,
            confidence: 1.0,
            keywords: tidied_all(&draft.keywords),
            source: origin.source(false),
            created_at_ms: now_ms,
            changed_at_ms: now_ms,
            used_at_ms: None,
            uses: 0,
            expires_at_ms: tier.expires_at_ms(now_ms),
            pinned: false,
            replaced: None,
        });
        Ok(())
    }

    /// Pins a fact, so that it never goes by itself, or no longer does.
    pub fn pin(&mut self, id: &FactId, pinned: bool, now_ms: u64) {
        if let Some(fact) = self.known.iter_mut().find(|fact| fact.id == *id) {
            fact.pinned = pinned;
            fact.changed_at_ms = now_ms;
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
            self.known.remove(at);
            self.mourn(id.clone(), now_ms);
        }
    }

    /// Takes back that a fact was kept: what it said otherwise is so again.
    pub fn undo(&mut self, id: &FactId, now_ms: u64) {
        let Some(at) = self.known.iter().position(|fact| fact.id == *id) else {
            return;
        };
        let mut fact = self.known.remove(at);
        self.mourn(id.clone(), now_ms);
        if let Some(replaced) = fact.replaced.take() {
            fact.id = FactId(format!("{}.before", id.0));
            fact.content = replaced.content;
            fact.changed_at_ms = now_ms;
            self.known.push(fact);
        }
    }

    pub(super) fn mourn(&mut self, id: FactId, at_ms: u64) {
        self.gone.retain(|gone| gone.id != id);
        self.gone.push(Gone { id, at_ms });
        let over = self.gone.len().saturating_sub(MOST_GONE);
        self.gone.drain(..over);
    }

    fn note(&mut self, key: &str, did: Did) {
        self.acts.push(Act {
            key: key.to_owned(),
            did,
        });
        let over = self.acts.len().saturating_sub(MOST_ACTS);
        self.acts.drain(..over);
    }
}

impl Fact {
    /// It was told once more: it is surer by that, and lasts from now on.
    fn say_again(&mut self, content: &str, draft: &Draft, confidence: f64, origin: &Origin) {
        if content.chars().count() > self.content.chars().count() {
            content.clone_into(&mut self.content);
        }
        self.confidence = self.confidence.max(confidence.clamp(0.0, 1.0));
        // Never less lasting than it was.
        self.tier = draft.tier.map_or(self.tier, |tier| tier.min(self.tier));
        self.category = draft.category.unwrap_or(self.category);
        for word in tidied_all(&draft.keywords) {
            if !self.keywords.contains(&word) {
                self.keywords.push(word);
            }
        }
        self.keywords = tidied_all(&self.keywords);
        self.heard_in(origin.conversation.as_deref());
        self.source.by_itself &= draft.by_itself;
        self.changed_at_ms = origin.now_ms;
        self.expires_at_ms = self.tier.expires_at_ms(origin.now_ms);
    }

    /// Stands in the place of another, which it says otherwise.
    fn take_over(&mut self, older: Fact, now_ms: u64) {
        self.uses = older.uses;
        self.used_at_ms = older.used_at_ms;
        self.pinned = older.pinned;
        self.replaced = Some(Replaced {
            content: older.content,
            at_ms: now_ms,
        });
    }

    fn heard_in(&mut self, conversation: Option<&str>) {
        let known = &mut self.source.conversations;
        if let Some(conversation) = conversation
            && !known.iter().any(|it| it == conversation)
        {
            known.push(conversation.to_owned());
            let over = known.len().saturating_sub(MOST_CONVERSATIONS);
            known.drain(..over);
        }
    }
}
