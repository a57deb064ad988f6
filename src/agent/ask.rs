//! Asking the model: once more where that may help, and never without the
//! person's word.

use super::desk::{Desk, Step};
use super::{End, Event, Failure, Need, Verdict};
use crate::durable::{Halt, Key, backoff_ms};
use crate::model::{
    Ask, AskLabel, Message, ModelError, Price, Purpose, Reply, Request, Role, Usage,
};
use crate::prompts::{Note, Value};

/// What models are asked at (DETAILS §2).
const TEMPERATURE: f32 = 0.7;

/// What they are asked at once more, for what has a form (DETAILS §2).
const RETRY_TEMPERATURE: f32 = 0.0;

/// How often one call is made: two retries (within `max_retries` 3, Property 1).
const TRIES: u8 = 3;

/// How often a model is told that its call could not be read; then what it said beside
/// it is its answer (SPEC §2, §14.8: nobody sees raw JSON).
const HINTS: u8 = 2;

/// A server that wants a longer wait than this is not waited for: the person
/// decides. Until then the status says how long.
const MOST_WAIT_MS: u64 = 600_000;

/// Whether a call of a model offers the tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Offer {
    /// All that are enabled.
    Tools,
    /// None: it may only speak.
    Nothing,
}

impl Desk {
    /// Asks the model. `offer` says whether it may call tools.
    pub(super) async fn ask(
        &mut self,
        step: &Step,
        segment: &str,
        purpose: Purpose,
        offer: Offer,
    ) -> Result<Reply, End> {
        self.ask_at(step, segment, purpose, offer, TEMPERATURE)
            .await
    }

    /// Asks once more for what the last reply lacked.
    pub(super) async fn ask_again(
        &mut self,
        step: &Step,
        segment: &str,
        purpose: Purpose,
        offer: Offer,
    ) -> Result<Reply, End> {
        self.ask_at(step, segment, purpose, offer, RETRY_TEMPERATURE)
            .await
    }

    async fn ask_at(
        &mut self,
        step: &Step,
        segment: &str,
        purpose: Purpose,
        offer: Offer,
        temperature: f32,
    ) -> Result<Reply, End> {
        let mut attempt = 1;
        let mut permits = 0;
        let mut hints = 0;
        let mut failed = 0;
        let mut shrunk = false;
        loop {
            // Over all models that were tried, so that no place comes twice.
            let place = match (failed + attempt, permits, hints) {
                (1, 0, 0) => segment.to_owned(),
                (attempt, ..) => format!("{segment}.{attempt}.{permits}.{hints}"),
            };
            self.look_as_fork(step, &place).await?;
            let around = self.around(step, purpose, offer)?;
            self.fit(step, step.number.into(), &place, around).await?;
            let temperature = match hints {
                0 => temperature,
                _ => RETRY_TEMPERATURE,
            };
            let request = Request {
                temperature,
                ..self.request(step, purpose, offer)?
            };
            let ask = self.ask_of(step, request, around);
            let error = match step.ctx.step(&place, ask).await? {
                Ok(reply) => {
                    let estimated = self.context.tokens().saturating_add(around);
                    self.scale.learn(estimated, reply.usage.input_tokens);
                    let reply = self.take(step, &place, reply).await?;
                    let may_mend = offer == Offer::Tools && hints < HINTS;
                    match reply
                        .malformed
                        .clone()
                        .filter(|_| may_mend && self.exhausted().is_none())
                    {
                        Some(wrong) => self.hint(&reply, &wrong)?,
                        None => return Ok(reply),
                    }
                    hints += 1;
                    continue;
                }
                Err(error) => error,
            };
            self.pay(step, &place, error.used(), self.answering.price)
                .await?;
            if let Some(origin) = error.origin_needed() {
                permits += 1;
                self.permit(step, &format!("{segment}.permit.{permits}"), origin)
                    .await?;
                self.lay_out_again(&step.ctx).await?;
                continue;
            }
            // Nothing more is asked for once a budget is used up, but for the closing answer.
            // What is too long is no budget's end: with less it may fit.
            let closes = purpose == Purpose::Synthesise;
            let goes_on = closes || self.exhausted().is_none();
            if error.is_too_long() && !shrunk && (closes || self.used_up().is_none()) {
                shrunk = true;
                failed += 1;
                self.shrink(around, error.window_said());
                self.lay_out_again(&step.ctx).await?;
                let retried = Event::ModelRetried {
                    attempt: attempt + 1,
                    failure: Failure::of_model(&error),
                    wait_ms: 0,
                };
                step.tell(&format!("{place}.shrunk"), &retried)?;
                continue;
            }
            let wait_ms =
                wait_before_retry(&error, attempt, &step.ctx.at(segment).key()).filter(|_| goes_on);
            let Some(wait_ms) = wait_ms else {
                let failure = Failure::of_model(&error);
                let locked = error.awaits_unlocking();
                if !locked && self.hand_over(step, &place, failure.clone()).await? {
                    failed += attempt;
                    (attempt, shrunk) = (1, false);
                    self.lay_out_again(&step.ctx).await?;
                    continue;
                }
                return Err(End::Failed(Box::new(failure)));
            };
            attempt += 1;
            step.tell(
                &format!("{segment}.{}.retry", failed + attempt),
                &Event::ModelRetried {
                    attempt,
                    failure: Failure::of_model(&error),
                    wait_ms,
                },
            )?;
            let segment = format!("{segment}.{}.wait", failed + attempt);
            step.wait(&segment, wait_ms, &self.hands.clock).await?;
        }
    }

    /// Says what was wrong with a reply that meant to call a tool.
    fn hint(&mut self, reply: &Reply, wrong: &str) -> Result<(), End> {
        let said = [&reply.text, &reply.written].map(|it| it.trim());
        let said = said.into_iter().filter(|it| !it.is_empty());
        let said = said.collect::<Vec<_>>().join("\n");
        self.say(Message::text(Role::Assistant, said));
        self.note(Note::Hint, &[("wrong", Value::Words(wrong.to_owned()))])
    }

    fn request(&self, step: &Step, purpose: Purpose, offer: Offer) -> Result<Request, End> {
        Ok(Request {
            purpose,
            transcript: self.context.transcript().clone(),
            tools: self.tools(offer),
            temperature: TEMPERATURE,
            page: self.toolbox.page().cloned(),
            schema: None,
            task: self.task(step, purpose)?,
            language: self.prompts.language,
        })
    }

    fn ask_of(&self, step: &Step, request: Request, around: u32) -> Ask {
        let price = self.answering.price;
        let label = AskLabel::of(&request, around, (step.number, step.max_steps), price);
        Ask {
            label: AskLabel {
                reflects: request.purpose == Purpose::Observe && self.learning.reflects(),
                ..label
            },
            model: self.answering.model.clone(),
            request,
            purse: self.hands.purse.clone(),
            price,
        }
    }

    /// Waits for the person's word on a model's server. Refused, the next of the
    /// person's order goes on, else the on-device model, and the turn says so.
    async fn permit(&mut self, step: &Step, segment: &str, origin: &str) -> Result<(), End> {
        let need = Need::Provider {
            name: self.answering.speaker.provider.clone(),
            origin: origin.to_owned(),
        };
        match step.ctx.signal(segment, &need).await? {
            Verdict::Granted => Ok(()),
            Verdict::Refused => {
                let next = self.next_in_order(step, segment).await?;
                let next = next.unwrap_or_default();
                Ok(self.change_to(step, segment, &next, None)?)
            }
        }
    }

    async fn take(&mut self, step: &Step, segment: &str, reply: Reply) -> Result<Reply, Halt> {
        if self.complexity.is_none() {
            self.complexity = reply.control.complexity;
        }
        let price = self.answering.price;
        self.pay(step, segment, reply.usage, price).await?;
        self.remember(&reply);
        Ok(reply)
    }

    /// Counts what a call used, and looks what the month came to.
    pub(super) async fn pay(
        &mut self,
        step: &Step,
        segment: &str,
        usage: Usage,
        price: Option<Price>,
    ) -> Result<(), Halt> {
        if self.spend(step, segment, usage, price)? {
            self.look_at_month(step, segment).await?;
        }
        Ok(())
    }
}

/// How long to wait before the next try; `None` if there is none.
fn wait_before_retry(error: &ModelError, attempt: u8, act: &Key) -> Option<u64> {
    if attempt >= TRIES || !error.is_retryable() {
        return None;
    }
    let asked_for = error.retry_after_ms();
    let wait_ms = asked_for.unwrap_or_else(|| backoff_ms(attempt.into(), act));
    (wait_ms <= MOST_WAIT_MS).then_some(wait_ms)
}
