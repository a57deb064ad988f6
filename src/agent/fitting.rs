//! What stands before a model, made to fit before each call (SPEC §9, DETAILS §9).
//!
//! Driving example: at the seventh step what was said comes to 21 000 of 24 000 tokens.
//! Earlier turns are left out until their own budget holds, steps before the last three
//! become a line each, and if that is still more than 80 %, what is old is written anew by
//! the light model, or mechanically where that one fails. Where all that is still more than
//! there is room for, the results shrink that a model has not yet seen, then what was said
//! before and the last steps; of the newest turn something stays while anything else may go.

use super::answering::Answering;
use super::ask::Offer;
use super::desk::{Desk, Step};
use super::shorten::Shorten;
use super::{Bound, End, Event, Mode};
use crate::context::old::{mechanical, naming_all};
use crate::context::{Large, Newest, compressed, compressed_simply};
use crate::durable::Halt;
use crate::model::protocol::REPLY_TOKENS;
use crate::model::{
    Ask, AskLabel, Budget, Complexity, Message, Price, Purpose, Request, Role, Tools, Transcript,
    Voice,
};
use crate::prompts::{Name, Note, Value};
use crate::text::tokens::estimate;
use serde_json::Value as Json;

/// What is old is shortened above this share of the capacity, in percent (SPEC §9).
const FULL_PERCENT: u32 = 80;

/// Steps that stay whole (DETAILS §9).
const WHOLE_STEPS: u32 = 3;

/// Compaction is no place for ideas (DETAILS §2).
const TEMPERATURE: f32 = 0.0;

/// What is old may take up so much of the capacity when it has been written anew.
const OLD_PART: u32 = 4;

/// What of its tokens a run keeps for its answer, whatever stands before it.
const ANSWER_TOKENS: u32 = 1_000;

/// Whether what stands before a model could be made to fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    /// It fits.
    Fits,
    /// Not even with all that can shrink at its shortest, for this bound: after the call
    /// that it was made for, nothing but the closing answer is asked for.
    Crowded(Bound),
}

/// What came of writing anew what is old.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compaction {
    /// There is room enough, or nothing is old.
    NotNeeded,
    /// All is a fifth smaller.
    Saved,
    /// It can't be: the run ends with what it has (DETAILS §9), unless it is only crowded by
    /// results that are shortened from the next step on.
    SavesTooLittle,
}

/// What may stand in a capacity before what is old is shortened.
pub(super) fn full(capacity: u32) -> u32 {
    capacity.saturating_mul(FULL_PERCENT) / 100
}

impl Desk {
    /// What one call may hold.
    pub(super) fn budget(&self) -> Budget {
        let room = self.answering.room;
        room.budget(self.complexity.unwrap_or_else(|| self.brief.goal.looks()))
    }

    /// What is said beside the transcript, in tokens: how to reply, the task, the tools.
    pub(super) fn around(&self, step: &Step, purpose: Purpose, offer: Offer) -> Result<u32, End> {
        let task = estimate(&self.task(step, purpose)?);
        Ok(REPLY_TOKENS + task + self.offered(offer).tokens)
    }

    /// Shrinks what stands before the model until it fits with what is said `around` it, in
    /// the step `now` of all that were worked in.
    pub(super) async fn fit(
        &mut self,
        step: &Step,
        now: u32,
        place: &str,
        around: u32,
    ) -> Result<(), End> {
        if self.answering.model.voice() == Voice::Page {
            // It reads the page itself, and has no window.
            return Ok(());
        }
        let capacity = self.capacity(around);
        let full = full(capacity);
        let history = self.budget().history;
        self.context.narrow(history);
        let large = self.context.large_before(now);
        let short = self.shortened(step, place, large).await?;
        self.context.shorten(short);
        if self.context.tokens() > full {
            // A step that calls nothing yet is none of those that stay.
            let next = now + u32::from(self.context.calls_in(now));
            self.fold(next.saturating_sub(WHOLE_STEPS), full);
        }
        // What only new results crowd is crowded for one step: nothing old goes for that.
        let compaction = if self.context.stays() > full {
            self.compact(step, place, capacity).await?
        } else {
            Compaction::NotNeeded
        };
        self.squeeze(step, now, place, capacity).await?;
        self.fit = match self.context.tokens() {
            tokens if tokens <= capacity => match compaction {
                Compaction::SavesTooLittle if self.stays_crowded(around) => {
                    Fit::Crowded(Bound::Context)
                }
                _ => Fit::Fits,
            },
            tokens if tokens <= self.holds().saturating_sub(around) => Fit::Crowded(Bound::Tokens),
            _ => Fit::Crowded(Bound::Context),
        };
        Ok(())
    }

    /// Whether what stands is more than it should be in what a call may hold, whatever is left
    /// of the run's tokens, and with the new results as short as they will be.
    fn stays_crowded(&self, around: u32) -> bool {
        let capacity = self.holds().saturating_sub(around);
        self.context.stays() > full(capacity)
    }

    /// What may be said in a call: the budget less the answer, the tools and how to reply
    /// (DETAILS §9), and no more than is left of the run's tokens; by the model's own count,
    /// as far as that is known.
    pub(super) fn capacity(&self, around: u32) -> u32 {
        let left = self
            .brief
            .settings
            .max_tokens
            .saturating_sub(self.spent.tokens);
        let left = left.saturating_sub(ANSWER_TOKENS);
        self.holds()
            .min(self.scale.within(left))
            .saturating_sub(around)
    }

    /// What the one who writes anew may be told.
    fn holds_of(&self, light: &Answering) -> u32 {
        let prompt = light.room.budget(Complexity::Complex).prompt();
        match &self.brief.aides.light {
            // It counts in its own way, which nobody knows yet.
            Some(_) => prompt,
            None => self.scale.within(prompt),
        }
    }

    fn holds(&self) -> u32 {
        self.scale.within(self.budget().prompt())
    }

    /// By how much what stands is more than that.
    fn over(&self, capacity: u32) -> u32 {
        self.context.tokens().saturating_sub(capacity)
    }

    /// Makes lines of steps before this one, the oldest first, until all of it fits.
    fn fold(&mut self, before: u32, most: u32) {
        while self.context.tokens() > most
            && let Some(oldest) = self.context.oldest_before(before)
        {
            self.context.fold_before(oldest + 1);
        }
    }

    /// Results in short, with the key points for what is asked.
    async fn shortened(
        &self,
        step: &Step,
        place: &str,
        large: Vec<Large>,
    ) -> Result<Vec<(Large, Json)>, Halt> {
        let mut shortened = Vec::new();
        for large in large {
            let (texts, most) = large.texts();
            let shorten = Shorten {
                study: self.hands.study.clone(),
                id: large.id.clone(),
                texts,
                focus: self.question(),
                most,
            };
            let place = format!("{place}.short.{}", large.id);
            let short = match step.ctx.step(&place, shorten).await? {
                Ok(points) => compressed(&large, points),
                Err(_) => compressed_simply(&large),
            };
            shortened.push((large, short));
        }
        Ok(shortened)
    }

    /// Writes what is old anew, if that saves a fifth.
    async fn compact(
        &mut self,
        step: &Step,
        place: &str,
        capacity: u32,
    ) -> Result<Compaction, End> {
        let (before, old) = (self.context.tokens(), self.context.old_tokens());
        if old == 0 {
            return Ok(Compaction::NotNeeded);
        }
        if u64::from(old) * 5 < u64::from(before) {
            return Ok(Compaction::SavesTooLittle);
        }
        let lines = self.context.old();
        let words = self.written_anew(step, place, &lines).await?;
        let by_model = words.and_then(|words| {
            let words = naming_all(words, &lines);
            self.context.compacted(&words)
        });
        let shorter = by_model.or_else(|| {
            let most = (old / 2).min(capacity / OLD_PART);
            self.context
                .compacted(&mechanical(&lines, most, self.prompts.language))
        });
        let Some(shorter) = shorter else {
            return Ok(Compaction::SavesTooLittle);
        };
        self.context = shorter;
        let after = self.context.tokens();
        let compacted = Event::Compacted { before, after };
        step.tell(&format!("{place}.compacted"), &compacted)?;
        Ok(Compaction::Saved)
    }

    /// What a model makes of what is old; `None` where none may be asked, it has no
    /// room for that, or it failed.
    async fn written_anew(
        &mut self,
        step: &Step,
        place: &str,
        lines: &[String],
    ) -> Result<Option<String>, End> {
        if self.exhausted().is_some() {
            return Ok(None);
        }
        let light = self.light();
        if light.model.voice() == Voice::Page {
            return Ok(None);
        }
        let grounding = &self.grounding;
        let kept = grounding.completed.iter().chain(&grounding.decisions);
        let kept = kept.chain(&grounding.preferences);
        let list = |words: &mut dyn Iterator<Item = &String>| {
            Value::List(words.map(|it| it.as_str().into()).collect())
        };
        let values = [
            ("goal", Value::Words(self.question())),
            ("steps", list(&mut lines.iter())),
            ("kept", list(&mut kept.into_iter())),
        ];
        let asked = self.prompts.render(Name::Compaction, &values)?;
        let mut transcript = Transcript::default();
        let rule = self.prompts.note(Note::Security, &[])?;
        transcript.push(Message::text(Role::System, rule));
        transcript.push(Message::text(Role::User, asked));
        if transcript.tokens() > self.holds_of(&light) {
            // It would be cut by whoever serves it, perhaps without a word.
            return Ok(None);
        }
        if !self
            .may_pay(step, &format!("{place}.light"), light.price, self.closing())
            .await?
        {
            return Ok(None);
        }
        let request = Request {
            purpose: Purpose::Compact,
            transcript,
            tools: Tools::None,
            temperature: TEMPERATURE,
            page: None,
            schema: None,
            task: String::new(),
            language: self.prompts.language,
        };
        let place = format!("{place}.compact");
        let price: Option<Price> = light.price;
        let ask = Ask {
            label: AskLabel::of(&request, 0, (step.number, step.max_steps), price),
            model: light.model,
            request,
            purse: self.hands.purse.clone(),
            price,
        };
        let reply = step.ctx.step(&place, ask).await?;
        let used = match &reply {
            Ok(reply) => reply.usage,
            Err(error) => error.used(),
        };
        self.pay(step, &place, used, price).await?;
        let words = reply.ok().map(|reply| reply.text);
        Ok(words.filter(|words| !words.trim().is_empty()))
    }

    /// Where even that is too much: the results that are new are cut to what there is room
    /// for, then earlier turns to the newest, the last steps become lines, and what is old is
    /// cut; at last the newest turn, and the longest message of the person, of a model whose
    /// window was not known to be so small.
    async fn squeeze(
        &mut self,
        step: &Step,
        now: u32,
        place: &str,
        capacity: u32,
    ) -> Result<(), End> {
        for large in self.context.largest() {
            let over = self.over(capacity);
            if over == 0 {
                return Ok(());
            }
            let most = large.tokens().saturating_sub(over);
            let large = large.within(most);
            let place = format!("{place}.squeeze");
            let short = self.shortened(step, &place, vec![large]).await?;
            self.context.shorten(short);
        }
        self.context.narrow_by(self.over(capacity), Newest::Stays);
        self.fold(now, capacity);
        let (before, old) = (self.context.tokens(), self.context.old_tokens());
        if before > capacity && old > 0 {
            let most = old.saturating_sub(before - capacity + before / 5);
            let words = mechanical(&self.context.old(), most, self.prompts.language);
            if let Some(shorter) = self.context.compacted(&words) {
                self.context = shorter;
                let after = self.context.tokens();
                let compacted = Event::Compacted { before, after };
                step.tell(&format!("{place}.squeezed"), &compacted)?;
            }
        }
        self.context.narrow_by(self.over(capacity), Newest::MayGo);
        let over = self.over(capacity);
        if over > 0 && self.brief.mode == Mode::Agent {
            self.context.shorten_asked(over);
        }
        Ok(())
    }
}
