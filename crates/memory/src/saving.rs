//! Saves drafts as new facts, or merges them with known facts.
//!
//! Example: the fact `9c1f20ab` is "Lives in Berlin". The draft "The user lives in Berlin"
//! has the same words, so it confirms the fact. The draft "The user lives in Munich" says that it
//! replaces `9c1f20ab`. That draft becomes a new fact, which contains a copy of the old fact for
//! *Undo*.

use super::draft::{tidy, tidy_keywords};
use super::fact::default_confidence;
use super::facts::ActionResult;
use super::judge::{check_model_draft, check_user_draft};
use super::same_words::same_words;
use super::{
    Draft, Fact, FactId, Facts, Loss, Origin, Refusal, ReplacedFact, Report, SaveResult, SourceKind,
};
use gloss_model::provenance::{self, Provenance};

/// The maximum number of conversations in the source of a fact.
const MOST_CONVERSATIONS: usize = 8;

impl Facts {
    /// Saves drafts, unless they are refused. Returns a report for each draft, in order. A second
    /// call with the same action returns the same reports and changes nothing.
    pub fn keep(&mut self, drafts: &[Draft], origin: &Origin) -> Vec<Report> {
        self.expire(origin.now_ms);
        let known = self.acts.iter().find(|act| act.key == origin.act);
        let became = match known.map(|act| act.did.clone()) {
            Some(ActionResult::Kept(became)) => became,
            Some(ActionResult::Used(_)) | None => {
                let drafts = drafts.iter().enumerate();
                let became: Vec<SaveResult> = drafts
                    .map(|(place, draft)| {
                        let kept = self.keep_one(draft, place, origin);
                        kept.unwrap_or_else(SaveResult::Refused)
                    })
                    .collect();
                self.note(&origin.act, ActionResult::Kept(became.clone()));
                became
            }
        };
        let report = |(draft, became): (&Draft, SaveResult)| {
            let replaced = match &became {
                SaveResult::Kept(id) => self.get(id).and_then(|fact| fact.replaced.clone()),
                SaveResult::Known(_) | SaveResult::Refused(_) => None,
            };
            Report {
                content: tidy(&draft.content),
                became,
                replaced: replaced.map(|replaced| replaced.fact.content),
            }
        };
        drafts.iter().zip(became).map(report).collect()
    }

    /// Checks a draft. Returns the fact that the draft replaces, or `None` if the draft replaces no
    /// fact.
    ///
    /// # Errors
    /// The reason for which the draft is refused.
    pub fn judge(&self, draft: &Draft) -> Result<Option<&Fact>, Refusal> {
        check_model_draft(draft)?;
        let Some(id) = &draft.replaces else {
            return Ok(None);
        };
        self.get(id).map(Some).ok_or(Refusal::UnknownFact)
    }

    fn keep_one(
        &mut self,
        draft: &Draft,
        place: usize,
        origin: &Origin,
    ) -> Result<SaveResult, Refusal> {
        let older = self.judge(draft)?.cloned();
        let content = tidy(&draft.content);
        let mut known = self.known.iter();
        let same = known.find(|fact| same_words(&fact.content, &content));
        // If the draft's text is known already, the draft replaces no other fact, because *Undo*
        // could restore only one of the two facts.
        if let Some(same) = same.cloned() {
            let fact = same.confirm(draft, origin);
            let id = fact.id.clone();
            self.substitute(&[same], fact, origin.now_ms)?;
            return Ok(SaveResult::Known(id));
        }
        let id = origin.id(place);
        let fact = match &older {
            Some(older) => {
                let mut fact = Fact::of(id.clone(), &draft.like(older), origin);
                fact.replace(older, origin.now_ms);
                fact
            }
            None => Fact::of(id.clone(), draft, origin),
        };
        let gone: Vec<Fact> = older.into_iter().collect();
        self.substitute(&gone, fact, origin.now_ms)?;
        Ok(SaveResult::Kept(id))
    }

    /// Replaces the facts `gone` by `fact`. Fails and changes nothing if the new fact's tier has no
    /// space.
    fn substitute(&mut self, gone: &[Fact], fact: Fact, now_ms: u64) -> Result<(), Refusal> {
        let before = self.known.clone();
        self.known
            .retain(|known| gone.iter().all(|gone| gone.id != known.id));
        let is_in = |gone: &Fact| gone.tier == fact.tier;
        if !gone.iter().any(is_in) && !self.make_room(fact.tier, now_ms) {
            self.known = before;
            return Err(Refusal::NoRoom);
        }
        for gone in gone.iter().filter(|gone| gone.id != fact.id) {
            self.record_loss(gone.id.clone(), Loss::Replaced);
        }
        self.restore(fact);
        Ok(())
    }

    /// Saves a draft that the user wrote, as a new fact or in place of the fact `id`. Gloss doesn't
    /// judge if the draft is true, but refuses secrets. Facts with the same words are merged into
    /// the new fact. If the tier is full, the fact with the lowest value is removed.
    ///
    /// Returns the removed facts, including the earlier version of the fact `id`. To undo the
    /// action, pass these facts to [`Self::undo_edit`]. A second call changes nothing.
    ///
    /// # Errors
    /// The reason for which the draft is refused. Nothing was changed.
    pub fn write(&mut self, id: &FactId, draft: &Draft, now_ms: u64) -> Result<Vec<Fact>, Refusal> {
        check_user_draft(draft)?;
        self.expire(now_ms);
        let known = self.get(id).cloned();
        if known.as_ref().is_some_and(|known| known.stands_as(draft)) {
            return Ok(Vec::new());
        }
        let before = self.known.clone();
        let origin = Origin {
            provenance: Provenance::of(provenance::Origin::User),
            act: String::new(),
            how: SourceKind::Typed,
            conversation: None,
            now_ms,
        };
        let new = || Fact::of(id.clone(), draft, &origin);
        let written = |known: &Fact| known.rewrite(draft, now_ms);
        let mut fact = Fact {
            confidence: 1.0,
            ..known.as_ref().map_or_else(new, written)
        };
        let mut gone: Vec<Fact> = known.into_iter().collect();
        let others = before.iter().filter(|other| other.id != *id);
        for other in others.filter(|other| same_words(&other.content, &draft.content)) {
            fact.absorb(other);
            gone.push(other.clone());
        }
        self.substitute(&gone, fact, now_ms)?;
        let is_gone = |fact: &Fact| self.get(&fact.id).is_none();
        let any = before.iter().any(is_gone);
        let went = before.into_iter();
        let went = went.filter(|fact| any && (fact.id == *id || is_gone(fact)));
        Ok(went.collect())
    }
}

impl Fact {
    fn of(id: FactId, draft: &Draft, origin: &Origin) -> Self {
        let tier = draft.tier.unwrap_or_default();
        Self {
            id,
            content: tidy(&draft.content),
            category: draft.category.unwrap_or_default(),
            tier,
            confidence: draft
                .confidence
                .unwrap_or_else(default_confidence)
                .clamp(0.0, 1.0),
            keywords: tidy_keywords(&draft.keywords),
            source: origin.source(draft.by_itself),
            created_at_ms: origin.now_ms,
            used_at_ms: None,
            uses: 0,
            expires_at_ms: tier.expires_at_ms(origin.now_ms),
            pinned: false,
            replaced: None,
        }
    }

    /// Returns this fact after it was stated again. Its confidence may increase, and its time to
    /// live starts again.
    fn confirm(&self, draft: &Draft, origin: &Origin) -> Self {
        let again = Self::of(self.id.clone(), draft, origin);
        let mut fact = self.clone();
        fact.confidence = fact.confidence.max(again.confidence);
        // The fact may move to a tier that keeps it longer, never to one that keeps it for a
        // shorter time.
        fact.tier = draft.tier.map_or(fact.tier, |tier| tier.min(fact.tier));
        fact.category = draft.category.unwrap_or(fact.category);
        fact.keywords.extend(again.keywords);
        fact.keywords = tidy_keywords(&fact.keywords);
        fact.heard_in(origin.conversation.as_deref());
        fact.source.by_itself &= draft.by_itself;
        fact.expires_at_ms = fact.tier.expires_at_ms(origin.now_ms);
        fact
    }

    /// Returns the fact as the user rewrote it. The stored older fact is dropped, so that a later
    /// *Undo* can't remove the user's text.
    fn rewrite(&self, draft: &Draft, now_ms: u64) -> Self {
        let tier = draft.tier.unwrap_or(self.tier);
        let mut fact = Self {
            content: tidy(&draft.content),
            category: draft.category.unwrap_or(self.category),
            tier,
            expires_at_ms: tier.expires_at_ms(now_ms),
            replaced: None,
            ..self.clone()
        };
        fact.source.edited = true;
        fact.source.provenance = Provenance::of(provenance::Origin::User);
        fact
    }

    /// Returns true if this fact already equals a draft of the user.
    fn stands_as(&self, draft: &Draft) -> bool {
        let category = draft.category.is_none_or(|it| it == self.category);
        let tier = draft.tier.is_none_or(|it| it == self.tier);
        let words = self.content == tidy(&draft.content);
        words && category && tier && self.confidence >= 1.0
    }

    /// Merges another fact with the same words into this one.
    pub(super) fn absorb(&mut self, other: &Self) {
        self.uses = self.uses.max(other.uses);
        self.used_at_ms = self.used_at_ms.max(other.used_at_ms);
        self.pinned |= other.pinned;
        self.confidence = self.confidence.max(other.confidence);
        self.created_at_ms = self.created_at_ms.min(other.created_at_ms);
        self.keywords.extend(other.keywords.iter().cloned());
        self.keywords = tidy_keywords(&self.keywords);
        self.source.by_itself &= other.source.by_itself;
        self.source.edited |= other.is_worded();
        for conversation in &other.source.conversations {
            self.heard_in(Some(conversation));
        }
    }

    /// Makes this fact the replacement of the fact `older`, and stores `older` for *Undo*.
    pub(super) fn replace(&mut self, older: &Self, now_ms: u64) {
        self.uses = self.uses.max(older.uses);
        self.used_at_ms = self.used_at_ms.max(older.used_at_ms);
        self.pinned |= older.pinned;
        let older = Self {
            replaced: None,
            ..older.clone()
        };
        self.replaced = Some(ReplacedFact {
            fact: Box::new(older),
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
