//! How a draft becomes a fact, or part of one.
//!
//! Driving example: "Lives in Berlin" is known. "The user lives in Berlin" is that once more
//! and makes it surer; "Lives in Berlin, Germany" says more, and "The user lives in Munich"
//! says otherwise: those stand in its place, and keep it for an Undo.

use super::draft::{tidied, tidied_all};
use super::fact::usual;
use super::facts::Did;
use super::judge::{judge, judge_typed};
use super::likeness::{Essence, Likeness, says_more};
use super::together::{Gathered, gathered};
use super::{Became, Draft, Fact, FactId, Facts, How, Loss, Origin, Refusal, Replaced, Report};

/// How many conversations a fact names.
const MOST_CONVERSATIONS: usize = 8;

impl Facts {
    /// Keeps what may be kept; a report for each draft, in order. What was said at once stands
    /// side by side: a draft takes no other's place of its own call. Done again under the same
    /// act, it says the same and changes nothing.
    pub fn keep(&mut self, drafts: &[Draft], origin: &Origin) -> Vec<Report> {
        self.expire(origin.now_ms);
        let gathered = gathered(drafts);
        let known = self.acts.iter().find(|act| act.key == origin.act);
        let became = match known.map(|act| act.did.clone()) {
            Some(Did::Kept(became)) => became,
            Some(Did::Used(_)) | None => {
                let became = self.keep_all(&gathered, origin);
                self.note(&origin.act, Did::Kept(became.clone()));
                became
            }
        };
        let report = |(one, became): (&Gathered, Became)| {
            let replaced = match &became {
                Became::Kept(id) => self.get(id).and_then(|fact| fact.replaced.clone()),
                Became::Known(_) | Became::Refused(_) => None,
            };
            Report {
                content: tidied(&one.draft.content),
                became,
                replaced: replaced.map(|replaced| replaced.content),
            }
        };
        gathered.iter().zip(became).map(report).collect()
    }

    fn keep_all(&mut self, gathered: &[Gathered], origin: &Origin) -> Vec<Became> {
        let mut became: Vec<Became> = Vec::with_capacity(gathered.len());
        let mut at_once = Vec::new();
        for (place, one) in gathered.iter().enumerate() {
            let said = one.said_by.and_then(|place| became.get(place).cloned());
            let next = match said {
                Some(Became::Kept(id) | Became::Known(id)) => Became::Known(id),
                Some(refused @ Became::Refused(_)) => refused,
                None => self.keep_one(&one.draft, place, origin, &at_once),
            };
            if let Became::Kept(id) | Became::Known(id) = &next {
                at_once.push(id.clone());
            }
            became.push(next);
        }
        became
    }

    /// `at_once` are the facts of the same call.
    fn keep_one(
        &mut self,
        draft: &Draft,
        place: usize,
        origin: &Origin,
        at_once: &[FactId],
    ) -> Became {
        if let Err(refusal) = judge(draft) {
            return Became::Refused(refusal);
        }
        let content = tidied(&draft.content);
        let said = Essence::of(&content);
        let is_older = |fact: &Fact| !at_once.contains(&fact.id);
        let find = |wanted: Likeness| {
            let is_wanted = |fact: &&Fact| {
                let likeness = Essence::of(&fact.content).likeness(&said);
                likeness == wanted && (wanted == Likeness::Same || is_older(fact))
            };
            self.known.iter().find(is_wanted).cloned()
        };
        let same = find(Likeness::Same);
        // What is named goes first: whoever names it knows what is meant.
        let older = match (self.named(draft).filter(is_older), &same) {
            (Some(named), Some(same)) if named.id == same.id => {
                (same.content != content).then_some(named)
            }
            (Some(named), _) => Some(named),
            (None, Some(same)) => {
                (is_older(same) && says_more(&content, &same.content)).then(|| same.clone())
            }
            (None, None) => find(Likeness::Otherwise),
        };
        let mut fact = match (&same, &older) {
            (Some(same), _) => same.said_again(draft, origin),
            (None, Some(older)) => Fact::of(origin.id(place), &draft.like(older), origin),
            (None, None) => Fact::of(origin.id(place), draft, origin),
        };
        if let Some(older) = &older {
            fact.id = origin.id(place);
            if same.as_ref().is_some_and(|same| same.id == older.id) {
                fact.content = content;
            }
            fact.take_over(older, origin.now_ms);
        }
        let id = fact.id.clone();
        let is_known = older.is_none() && same.is_some();
        let gone: Vec<Fact> = older.into_iter().chain(same).collect();
        if !self.put_in_place_of(&gone, fact, origin.now_ms) {
            return Became::Refused(Refusal::NoRoom);
        }
        if is_known {
            Became::Known(id)
        } else {
            Became::Kept(id)
        }
    }

    /// The fact that a draft says is no longer so: rather one that says the same as what is
    /// named than one that is about the same.
    fn named(&self, draft: &Draft) -> Option<Fact> {
        let named = Essence::of(&tidied(draft.replaces.as_deref()?));
        let known = self.known.iter();
        let known: Vec<(&Fact, Essence)> = known
            .map(|fact| (fact, Essence::of(&fact.content)))
            .collect();
        let mut same = known.iter();
        let same = same.find(|(_, it)| it.likeness(&named) == Likeness::Same);
        let about = known.iter().filter(|(_, it)| it.is_about(&named));
        let nearest = about.reduce(|best, next| {
            let is_nearer = next.1.common(&named) > best.1.common(&named);
            if is_nearer { next } else { best }
        });
        same.or(nearest).map(|(fact, _)| (*fact).clone())
    }

    /// `false` if there is no room for it: then nothing has changed.
    fn put_in_place_of(&mut self, gone: &[Fact], fact: Fact, now_ms: u64) -> bool {
        let before = self.known.clone();
        self.known
            .retain(|known| gone.iter().all(|gone| gone.id != known.id));
        let is_in = |gone: &Fact| gone.tier == fact.tier;
        if !gone.iter().any(is_in) && !self.make_room(fact.tier, now_ms) {
            self.known = before;
            return false;
        }
        for gone in gone.iter().filter(|gone| gone.id != fact.id) {
            self.lose(gone, Loss::Replaced, now_ms);
        }
        self.known.push(fact);
        true
    }

    /// Keeps what the person wrote themselves, new or in place of what it was: their word
    /// is not doubted, but secrets are refused, too. It stands in the place of all that says the
    /// same or says it otherwise, as what is saved does, and where its tier is full in that of what
    /// is worth least. Gives what went for it, with what it was itself before: all that
    /// [`Self::take_back`] needs, and nothing where nothing went. Done twice, it is done once.
    ///
    /// # Errors
    /// Why not; nothing was changed.
    pub fn write(&mut self, id: &FactId, draft: &Draft, now_ms: u64) -> Result<Vec<Fact>, Refusal> {
        judge_typed(draft)?;
        self.expire(now_ms);
        let known = self.get(id).cloned();
        if known.as_ref().is_some_and(|known| known.stands_as(draft)) {
            return Ok(Vec::new());
        }
        let before = self.known.clone();
        let origin = Origin {
            act: String::new(),
            how: How::Typed,
            conversation: None,
            now_ms,
        };
        let new = || Fact::of(id.clone(), draft, &origin);
        let written = |known: &Fact| known.written_anew(draft, now_ms);
        let mut fact = Fact {
            confidence: 1.0,
            ..known.as_ref().map_or_else(new, written)
        };
        let said = Essence::of(&fact.content);
        let mut gone: Vec<Fact> = known.into_iter().collect();
        for other in self.known.iter().filter(|other| other.id != *id) {
            match Essence::of(&other.content).likeness(&said) {
                Likeness::Same => fact.absorb(other),
                Likeness::Otherwise => fact.take_over(other, now_ms),
                Likeness::Apart => continue,
            }
            gone.push(other.clone());
        }
        if self.put_in_place_of(&gone, fact, now_ms) {
            // It may have gone while it was being written: it is known again, and everywhere.
            let gone_at_ms = self.no_longer_gone(id);
            if let Some(fact) = self.known.iter_mut().find(|fact| fact.id == *id) {
                fact.changed_at_ms = fact.changed_at_ms.max(gone_at_ms.saturating_add(1));
            }
            let is_gone = |fact: &Fact| self.get(&fact.id).is_none();
            let any = before.iter().any(is_gone);
            let went = before
                .into_iter()
                .filter(|fact| any && (fact.id == *id || is_gone(fact)));
            Ok(went.collect())
        } else {
            Err(Refusal::NoRoom)
        }
    }
}

impl Fact {
    /// What a draft says for the first time.
    fn of(id: FactId, draft: &Draft, origin: &Origin) -> Self {
        let tier = draft.tier.unwrap_or_default();
        Self {
            id,
            content: tidied(&draft.content),
            category: draft.category.unwrap_or_default(),
            tier,
            confidence: draft.confidence.unwrap_or_else(usual).clamp(0.0, 1.0),
            keywords: tidied_all(&draft.keywords),
            source: origin.source(draft.by_itself),
            created_at_ms: origin.now_ms,
            changed_at_ms: origin.now_ms,
            used_at_ms: None,
            uses: 0,
            expires_at_ms: tier.expires_at_ms(origin.now_ms),
            pinned: false,
            replaced: None,
        }
    }

    /// It was told once more: it is surer by that, and lasts from now on.
    fn said_again(&self, draft: &Draft, origin: &Origin) -> Self {
        let again = Self::of(self.id.clone(), draft, origin);
        let mut fact = self.clone();
        if says_more(&again.content, &fact.content) {
            fact.content = again.content;
        }
        fact.confidence = fact.confidence.max(again.confidence);
        // Never less lasting than it was.
        fact.tier = draft.tier.map_or(fact.tier, |tier| tier.min(fact.tier));
        fact.category = draft.category.unwrap_or(fact.category);
        fact.keywords.extend(again.keywords);
        fact.keywords = tidied_all(&fact.keywords);
        fact.heard_in(origin.conversation.as_deref());
        fact.source.by_itself &= draft.by_itself;
        fact.expires_at_ms = fact.tier.expires_at_ms(origin.now_ms);
        fact.change(origin.now_ms);
        fact
    }

    /// The person wrote it anew: what it was before is none of a machine's to give back.
    fn written_anew(&self, draft: &Draft, now_ms: u64) -> Self {
        let tier = draft.tier.unwrap_or(self.tier);
        let mut fact = Self {
            content: tidied(&draft.content),
            category: draft.category.unwrap_or(self.category),
            tier,
            expires_at_ms: tier.expires_at_ms(now_ms),
            replaced: None,
            ..self.clone()
        };
        fact.source.edited = true;
        fact.change(now_ms);
        fact
    }

    /// Whether the person wrote just this before.
    fn stands_as(&self, draft: &Draft) -> bool {
        let category = draft.category.is_none_or(|it| it == self.category);
        let tier = draft.tier.is_none_or(|it| it == self.tier);
        let words = self.content == tidied(&draft.content);
        words && category && tier && self.confidence >= 1.0
    }

    /// Stands for another, too, which says the same.
    pub(super) fn absorb(&mut self, other: &Self) {
        self.uses = self.uses.max(other.uses);
        self.used_at_ms = self.used_at_ms.max(other.used_at_ms);
        self.pinned |= other.pinned;
        self.confidence = self.confidence.max(other.confidence);
        self.created_at_ms = self.created_at_ms.min(other.created_at_ms);
        self.keywords.extend(other.keywords.iter().cloned());
        self.keywords = tidied_all(&self.keywords);
        self.source.by_itself &= other.source.by_itself;
        self.source.edited |= other.is_worded();
        for conversation in &other.source.conversations {
            self.heard_in(Some(conversation));
        }
    }

    /// Stands in the place of another, which it says otherwise or says more than.
    pub(super) fn take_over(&mut self, older: &Self, now_ms: u64) {
        self.uses = self.uses.max(older.uses);
        self.used_at_ms = self.used_at_ms.max(older.used_at_ms);
        self.pinned |= older.pinned;
        let older = Self {
            replaced: None,
            ..older.clone()
        };
        self.replaced = Some(Replaced {
            content: older.content.clone(),
            at_ms: now_ms,
            fact: Some(Box::new(older)),
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
