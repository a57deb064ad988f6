//! Asking the model: again where that may help, and never a server that the user didn't allow.
//!
//! Driving example: a server answers 429 and asks for 3 seconds. [`decide`] says to retry after
//! that wait; the loop in [`Dialogue::ask`] carries it out and asks again.

use crate::dialogue::next_call::{Left, Next, Situation, decide};
use crate::dialogue::{Dialogue, context_window};
use crate::events::{Bound, End, Event, Failure, Need, Verdict};
use crate::run::Step;
use crate::transcript::prompt;
use gloss_durable::{Halt, backoff_ms};
use gloss_model::prompts::{Note, Value};
use gloss_model::{Ask, AskLabel, Message, ModelError, Purpose, Reply, Request, Role, used};

/// What models are asked at (DETAILS §2).
const TEMPERATURE: f32 = 0.7;

/// What they are asked at once more, for what has a form (DETAILS §2).
const RETRY_TEMPERATURE: f32 = 0.0;

/// Whether a call of a model offers the tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Offer {
    /// All that are enabled.
    Tools,
    /// None: it may only speak.
    Nothing,
}

/// One question to the model.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a> {
    /// Its place in the step.
    pub(crate) segment: &'a str,
    pub(crate) purpose: Purpose,
    pub(crate) offer: Offer,
    /// What else whoever observes is asked, where calls failed.
    pub(crate) reflection: Option<&'a str>,
    /// 0 to 1.
    pub(crate) temperature: f32,
}

impl<'a> Question<'a> {
    pub(crate) fn new(segment: &'a str, purpose: Purpose, offer: Offer) -> Self {
        Self {
            segment,
            purpose,
            offer,
            reflection: None,
            temperature: TEMPERATURE,
        }
    }

    /// The same once more, for what the last reply lacked.
    pub(crate) fn again(self, segment: &'a str) -> Self {
        Self {
            segment,
            temperature: RETRY_TEMPERATURE,
            ..self
        }
    }
}

impl Dialogue {
    /// Asks the model until [`decide`] has enough, and takes the reply into the transcript.
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
            let situation = Situation {
                tries,
                hints,
                shrunk,
                offer: question.offer,
                left: self.left(question.purpose),
                backoff_ms: backoff_ms(tries.into(), &key),
            };
            match decide(&situation, &reply) {
                Next::Done | Next::GiveUp => return reply.map_err(|error| failed(&error)),
                Next::Hint { said, wrong } => {
                    (hints, tries) = (hints + 1, tries - 1);
                    self.hint(said, &wrong)?;
                }
                Next::AskPermission { origin } => {
                    tries -= 1;
                    self.permit(step, &format!("{place}.permit"), origin)
                        .await?;
                    self.lay_out_again(&step.ctx).await?;
                }
                Next::Shrink => {
                    tell_retry(step, &place, &reply, tries + 1, 0)?;
                    (shrunk, tries) = (shrunk + 1, tries - 1);
                    self.shrink(around);
                    self.lay_out_again(&step.ctx).await?;
                }
                Next::Retry { wait_ms } => {
                    tell_retry(step, &place, &reply, tries + 1, wait_ms)?;
                    let clock = self.run.services.clock.clone();
                    step.wait(&format!("{place}.wait"), wait_ms, &clock).await?;
                }
                Next::FallBack => {
                    let failure = reply.as_ref().err().map(Failure::of_model);
                    let Some(next) = self.next_in_order(step, &place).await? else {
                        return reply.map_err(|error| failed(&error));
                    };
                    self.change_to(step, &place, &next, failure)?;
                    (tries, shrunk) = (0, 0);
                    self.lay_out_again(&step.ctx).await?;
                }
            }
        }
    }

    /// Makes one call: the transcript is made to fit, the reply paid and taken into it. Gives
    /// what was said beside the transcript, too, in tokens.
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
            reflection,
            temperature,
            ..
        } = question;
        let task = prompt::task(&run, &self.transcript, step, purpose, reflection)?;
        let around = self.around(&task, offer);
        let crowded = context_window::fit(self, step, step.number.into(), place, around).await?;
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
            task,
            language: run.prompts.language,
        };
        let price = self.models.current.price;
        let label = AskLabel::of(&request, around, (step.number, step.max_steps), price);
        let ask = Ask {
            label: AskLabel {
                reflects: reflection.is_some(),
                ..label
            },
            model: self.models.current.model.clone(),
            request,
            purse: run.services.purse.clone(),
            price,
        };
        let reply = step.ctx.step(place, ask).await?;
        if let Ok(reply) = &reply {
            let estimated = self.transcript.context.tokens().saturating_add(around);
            self.models.scale.learn(estimated, reply.usage.input_tokens);
            self.budget.take_complexity(reply.control.complexity);
        }
        let reserve = self.reserve();
        let used = (used(&reply), price);
        self.budget.pay(step, place, used, &reserve).await?;
        if let Ok(reply) = &reply {
            self.transcript.take_reply(reply);
        }
        Ok((reply, around))
    }

    /// Why nothing but the closing answer is asked for.
    pub(crate) fn exhausted(&self) -> Option<Bound> {
        self.budget.exhausted(&self.reserve())
    }

    /// What is left of the budget for another call. The closing answer may always be asked for:
    /// what it takes was held back.
    fn left(&self, purpose: Purpose) -> Left {
        if purpose == Purpose::Synthesise || self.exhausted().is_none() {
            Left::Enough
        } else {
            match self.budget.used_up(&self.reserve()) {
                None => Left::Crowded,
                Some(Bound::Tokens) => Left::NoTokens,
                Some(_) => Left::NoMoney,
            }
        }
    }

    /// Says what was wrong with a reply that meant to call a tool.
    fn hint(&mut self, said: String, wrong: &str) -> Result<(), End> {
        self.transcript.say(Message::text(Role::Assistant, said));
        self.note(Note::Hint, &[("wrong", Value::Words(wrong.to_owned()))])
    }

    /// Waits for the user's permission to connect to a model's server. Refused, the next of the
    /// user's order goes on, else the on-device model, and the turn says so.
    async fn permit(&mut self, step: &Step, segment: &str, origin: String) -> Result<(), End> {
        let name = self.models.current.speaker.provider.clone();
        let need = Need::Provider { name, origin };
        match step.ctx.signal(segment, &need).await? {
            Verdict::Granted => Ok(()),
            Verdict::Refused => {
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

/// States that a failed call is made again.
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
    step.tell(&format!("{place}.retry"), &retried)
}
