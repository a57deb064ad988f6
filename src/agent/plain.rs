//! A plain call: the conversation, the page and the question at once, without tools.
//!
//! Driving example: 20 000 characters are asked about a page of 100 KB in a window of 8 192
//! tokens. What is asked comes first: nothing could recall it. The page has what is left,
//! and the answer says which share of it that was.

use super::ask::Offer;
use super::desk::{Desk, Step};
use super::fitting::full;
use super::history::head;
use super::{End, Goal, Mode, PageRead};
use crate::context::{Context, cost_of};
use crate::durable::Ctx;
use crate::model::{Message, Part, Purpose, Role, Source, Voice};
use crate::page::Document;
use crate::prompts::{Note, Value};
use crate::text::tokens::estimate;
use std::rc::Rc;

/// The room that a page has in a plain call: the scratchpad of a simple task
/// (SPEC §9).
const PAGE_TOKENS: u32 = 12_000;

/// A page of which no more would be given is not given.
const LEAST_TOKENS: u32 = 40;

impl Desk {
    /// Lays out what is asked and as much of the page as there is room for beside it.
    pub(super) async fn lay_out_plainly(&mut self, ctx: &Ctx) -> Result<(), End> {
        let step = Step {
            ctx: ctx.clone(),
            number: self.steps,
            max_steps: self.max_steps(),
        };
        let around = self.around(&step, Purpose::Synthesise, Offer::Nothing)?;
        self.context.narrow(self.budget().history);
        let (taken, capacity) = (self.context.tokens(), self.capacity(around));
        let asked = self.asked_plainly(capacity.saturating_sub(taken))?;
        let taken = taken.saturating_add(asked.iter().map(cost_of).sum());
        // A page is no reason to write anew what was said before.
        let left = full(capacity).saturating_sub(taken);
        let read = self.page.clone().zip(self.toolbox.page().cloned());
        if let Some((page, document)) = read {
            self.lay_out_page(&page, &document, left).await?;
        }
        for message in asked {
            self.context.fix(message);
        }
        Ok(())
    }

    /// Lays all out once more: for another model, or with less.
    pub(super) async fn lay_out_again(&mut self, ctx: &Ctx) -> Result<(), End> {
        if self.brief.mode == Mode::Plain {
            self.context = Context::speaking(self.prompts.language, &self.brief.earlier);
            Box::pin(self.lay_out(ctx)).await?;
        }
        Ok(())
    }

    /// What is asked, within the scratchpad and what is left of the call.
    fn asked_plainly(&self, left: u32) -> Result<Vec<Message>, End> {
        let goal = &self.brief.goal;
        let whole = goal.message(self.prompts.language);
        let most = self.budget().scratchpad.min(left);
        let reads = self.answering.model.voice() == Voice::Page;
        if reads || cost_of(&whole) <= most {
            return Ok(vec![whole]);
        }
        self.cut(goal, most, Note::Cut, &[])
    }

    /// The head of what is asked within so many tokens, and a note that says so.
    pub(super) fn cut(
        &self,
        goal: &Goal,
        most: u32,
        note: Note,
        values: &[(&str, Value)],
    ) -> Result<Vec<Message>, End> {
        let words = goal.words();
        let tokens = [("tokens", Value::Ours(estimate(words).to_string()))];
        let values: Vec<(&str, Value)> = values.iter().cloned().chain(tokens).collect();
        let note = Message::text(Role::System, self.prompts.note(note, &values)?);
        let most = most.saturating_sub(cost_of(&note));
        let mut room = most;
        loop {
            let short = goal.with_words(head(words, room));
            let short = short.message(self.prompts.language);
            // What JSON escapes costs more than it did.
            let over = cost_of(&short).saturating_sub(most);
            if over == 0 || room == 0 {
                return Ok(vec![short, note]);
            }
            room = room.saturating_sub(over);
        }
    }

    /// The page, quoted, with the share of it that fits, in percent. It follows from the page
    /// and the question: nothing of it is recorded but what the model says to it.
    async fn lay_out_page(
        &mut self,
        page: &PageRead,
        document: &Rc<Document>,
        left: u32,
    ) -> Result<(), End> {
        let question = self.brief.goal.words().to_owned();
        let most = self.answering.room.page(PAGE_TOKENS).min(left);
        let mut room = most;
        while room >= LEAST_TOKENS {
            let study = &self.hands.study;
            let excerpt = study.excerpt(document, room, Some(question.clone())).await;
            let excerpt = excerpt.map_err(|error| End::unread(&error))?;
            let passages = excerpt.passages.iter();
            let numbered = passages.map(|it| format!("[[{}]] {}", it.id, it.text));
            let numbered: Vec<String> = numbered.collect();
            let message = Message {
                role: Role::User,
                parts: vec![Part::Quoted {
                    source: Source::Page {
                        url: page.url.clone(),
                    },
                    text: numbered.join("\n"),
                }],
            };
            let over = cost_of(&message).saturating_sub(left);
            if over == 0 {
                self.context.fix(message);
                self.share_percent = excerpt.share_percent;
                return Ok(());
            }
            room = room.saturating_sub(over);
        }
        self.share_percent = Some(0);
        Ok(())
    }
}
