//! Model calls, with retries and fallbacks. No server is contacted without the user's permission.
//!
//! Example: a server answers 429 and requests a wait of 3 seconds. [`decide`] returns a
//! retry after 3 seconds. The loop in [`Dialogue::ask`] waits and calls the model again.

use crate::dialogue::retry_or_fall_back::{CallState, NextCall, RemainingBudget, decide};
use crate::dialogue::{Dialogue, compact_when_full};
use crate::events::{Bound, End, Event, Failure, MissingRight, Verdict};
use crate::reflexion::RunLessons;
use crate::run::Step;
use crate::transcript::prompt;
use gloss_durable::{Halt, backoff_ms};
use gloss_model::prompts::{Note, Value};
use gloss_model::{Ask, AskLabel, Message, ModelError, Purpose, Reply, Request, Role, usage_of};

/// The temperature of ordinary calls (DETAILS §2).
const TEMPERATURE: f32 = 0.7;

/// The temperature of a call that is repeated because the last reply lacked a required part or
/// contained a wrong tool call (DETAILS §2).
const RETRY_TEMPERATURE: f32 = 0.0;

/// The tools that a model call offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Offer {
    /// All enabled tools.
    Tools,
    /// No tools: the model can only write text.
    Nothing,
}

/// A question to the model. One question may need several calls, because of retries and fallbacks.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a> {
    /// The segment of the journal path for the question's records, such as `reason`.
    pub(crate) segment: &'a str,
    pub(crate) purpose: Purpose,
    pub(crate) offer: Offer,
    /// The failed calls on which the model also reflects; `None` if no call failed.
    pub(crate) lessons: Option<&'a RunLessons>,
    /// The sampling temperature, 0 to 1.
    pub(crate) temperature: f32,
}

impl<'a> Question<'a> {
    pub(crate) fn new(segment: &'a str, purpose: Purpose, offer: Offer) -> Self {
        Self {
            segment,
            purpose,
            offer,
            lessons: None,
            temperature: TEMPERATURE,
        }
    }

    /// Returns the same question with another segment and a temperature of 0. The question is
    /// repeated if the last reply lacked a required part.
    pub(crate) fn again(self, segment: &'a str) -> Self {
        Self {
            segment,
            temperature: RETRY_TEMPERATURE,
            ..self
        }
    }
}

impl Dialogue {
    /// Calls the model until [`decide`] ends the loop, and adds the reply to the transcript.
    pub(crate) async fn ask(&mut self, step: &Step, question: Question<'_>) -> Result<Reply, End> {
        let segment = question.segment;
        let key = step.ctx.at(segment).key();
        let (mut calls, mut tries, mut hints, mut shrunk) = (0, 0, 0, 0);
        loop {
            (calls, tries) = (calls + 1, tries + 1);
            let place = match calls {
                1 => segment.to_owned(),
                calls => format!("{segment}.{calls}"),
            };
            let (reply, around) = self.send(step, &place, question, hints).await?;
            let situation = CallState {
                tries,
                hints,
                shrunk,
                offer: question.offer,
                left: self.left(question.purpose),
                backoff_ms: backoff_ms(tries.into(), &key),
            };
            match decide(&situation, &reply) {
                NextCall::Done | NextCall::GiveUp => return reply.map_err(|error| failed(&error)),
                NextCall::Hint { said, wrong } => {
                    (hints, tries) = (hints + 1, tries - 1);
                    self.hint(said, &wrong)?;
                }
                NextCall::AskPermission { origin } => {
                    tries -= 1;
                    self.permit(step, &format!("{place}.permit"), origin)
                        .await?;
                    self.rebuild_plain(&step.ctx).await?;
                }
                NextCall::Shrink => {
                    tell_retry(step, &place, &reply, tries + 1, 0)?;
                    (shrunk, tries) = (shrunk + 1, tries - 1);
                    self.shrink(around);
                    self.rebuild_plain(&step.ctx).await?;
                }
                NextCall::Retry { wait_ms } => {
                    tell_retry(step, &place, &reply, tries + 1, wait_ms)?;
                    let clock = self.run.services.clock.clone();
                    step.wait(&format!("{place}.wait"), wait_ms, &clock).await?;
                }
                NextCall::FallBack => {
                    let failure = reply.as_ref().err().map(Failure::of_model);
                    let Some(next) = self.next_in_order(step, &place).await? else {
                        return reply.map_err(|error| failed(&error));
                    };
                    self.change_to(step, &place, &next, failure)?;
                    (tries, shrunk) = (0, 0);
                    self.rebuild_plain(&step.ctx).await?;
                }
            }
        }
    }

    /// Makes one call. Before the call, shortens a transcript that is too long. After it, counts
    /// the tokens and adds the reply to the transcript. Returns the reply, and the number of prompt
    /// tokens outside the transcript.
    async fn send(
        &mut self,
        step: &Step,
        place: &str,
        question: Question<'_>,
        hints: u8,
    ) -> Result<(Result<Reply, ModelError>, u32), End> {
        let run = self.run.clone();
        let Question {
            purpose,
            offer,
            lessons,
            temperature,
            ..
        } = question;
        let mut task = prompt::task(&run, &self.transcript, step, purpose)?;
        if let Some(lessons) = lessons {
            lessons.reflect_in(&mut task, &run.prompts)?;
        }
        let around = self.prompt_overhead(&task, offer);
        let crowded = compact_when_full::fit(self, step, step.number.into(), place, around).await?;
        self.budget.take_fit(crowded);
        let request = Request {
            purpose,
            transcript: self.transcript.context.transcript().clone(),
            tools: self.tools(offer),
            temperature: match hints {
                0 => temperature,
                _ => RETRY_TEMPERATURE,
            },
            page: self.document().cloned(),
            schema: None,
            task: task.text,
            state: task.state.text(),
            language: run.prompts.language,
        };
        let price = self.models.current.price;
        let label = AskLabel::of(&request, around, (step.number, step.max_steps), price);
        let ask = Ask {
            label: AskLabel {
                reflects: lessons.is_some(),
                ..label
            },
            model: self.models.current.model.clone(),
            request,
            ledger: run.services.ledger.clone(),
            price,
        };
        let reply = step.ctx.step(place, ask).await?;
        if let Ok(reply) = &reply {
            let estimated = self.transcript.context.tokens().saturating_add(around);
            self.models.scale.learn(estimated, reply.usage.input_tokens);
            self.budget.take_complexity(reply.control.complexity);
        }
        let reserve = self.reserve();
        let used = (usage_of(&reply), price);
        self.budget.count_usage(step, place, used, &reserve).await?;
        if let Ok(reply) = &reply {
            self.transcript.take_reply(reply);
        }
        Ok((reply, around))
    }

    /// Returns the limit on context, tokens or cost that the run has reached, or `None`. While such
    /// a limit is reached, the run may request only the closing answer.
    pub(crate) fn exhausted(&self) -> Option<Bound> {
        self.budget.closing_reason(&self.reserve())
    }

    /// Returns the budget that is left for another call. The closing answer is always allowed,
    /// because the budget reserves its tokens.
    fn left(&self, purpose: Purpose) -> RemainingBudget {
        if purpose == Purpose::Synthesise || self.exhausted().is_none() {
            RemainingBudget::Enough
        } else {
            match self.budget.spent_limit(&self.reserve()) {
                None => RemainingBudget::Crowded,
                Some(Bound::Tokens) => RemainingBudget::NoTokens,
                Some(_) => RemainingBudget::NoMoney,
            }
        }
    }

    /// Adds the model's reply, and a message that says what was wrong with its tool call.
    fn hint(&mut self, said: String, wrong: &str) -> Result<(), End> {
        self.transcript.say(Message::text(Role::Assistant, said));
        self.note(Note::Hint, &[("wrong", Value::Words(wrong.to_owned()))])
    }

    /// Waits for the user's permission to connect to a model's server. If the user refuses, the
    /// next fallback model within the budget answers. If there is none, the on-device model
    /// answers. The interface shows the change.
    async fn permit(&mut self, step: &Step, segment: &str, origin: String) -> Result<(), End> {
        let name = self.models.current.speaker.provider.clone();
        let need = MissingRight::Provider { name, origin };
        match step.ctx.signal(segment, &need).await? {
            Verdict::Granted | Verdict::Approved { .. } => Ok(()),
            Verdict::Refused | Verdict::Rejected { .. } => {
                let next = self.next_in_order(step, segment).await?;
                let next = next.unwrap_or_default();
                Ok(self.change_to(step, segment, &next, None)?)
            }
        }
    }
}

fn failed(error: &ModelError) -> End {
    End::Failed(Box::new(Failure::of_model(error)))
}

/// Reports that a failed call is retried.
fn tell_retry(
    step: &Step,
    place: &str,
    reply: &Result<Reply, ModelError>,
    attempt: u8,
    wait_ms: u64,
) -> Result<(), Halt> {
    let Err(error) = reply else { return Ok(()) };
    let retried = Event::ModelRetried {
        attempt,
        failure: Failure::of_model(error),
        wait_ms,
    };
    step.record_event(&format!("{place}.retry"), &retried)
}
