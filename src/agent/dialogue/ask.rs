//! Asking the model: again where that may help, and never a server that the user didn't allow.
//!
//! Driving example: a server answers 429 and asks for 3 seconds. [`decide`] says to retry after
//! that wait; the loop in [`Dialogue::ask`] carries it out and asks again.

use crate::agent::dialogue::{Dialogue, context_window};
use crate::agent::events::{Bound, End, Event, Failure, Need, Verdict};
use crate::agent::run::Step;
use crate::agent::transcript::prompt;
use crate::durable::{Halt, backoff_ms};
use crate::model::{Ask, AskLabel, Message, ModelError, Purpose, Reply, Request, Role, used};
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
pub(in crate::agent) enum Offer {
    /// All that are enabled.
    Tools,
    /// None: it may only speak.
    Nothing,
}

/// One question to the model.
#[derive(Clone, Copy)]
pub(in crate::agent) struct Question<'a> {
    /// Its place in the step.
    pub(in crate::agent) segment: &'a str,
    pub(in crate::agent) purpose: Purpose,
    pub(in crate::agent) offer: Offer,
    /// What else whoever observes is asked, where calls failed.
    pub(in crate::agent) reflection: Option<&'a str>,
    /// 0 to 1.
    pub(in crate::agent) temperature: f32,
}

impl<'a> Question<'a> {
    pub(in crate::agent) fn new(segment: &'a str, purpose: Purpose, offer: Offer) -> Self {
        Self {
            segment,
            purpose,
            offer,
            reflection: None,
            temperature: TEMPERATURE,
        }
    }

    /// The same once more, for what the last reply lacked.
    pub(in crate::agent) fn again(self, segment: &'a str) -> Self {
        Self {
            segment,
            temperature: RETRY_TEMPERATURE,
            ..self
        }
    }
}

impl Dialogue {
    /// Asks the model until [`decide`] has enough, and takes the reply into the transcript.
    pub(in crate::agent) async fn ask(
        &mut self,
        step: &Step,
        question: Question<'_>,
    ) -> Result<Reply, End> {
        let segment = question.segment;
        let key = step.ctx.at(segment).key();
        let (mut calls, mut tries, mut hints, mut has_shrunk) = (0, 0, 0, false);
        loop {
            (calls, tries) = (calls + 1, tries + 1);
            let place = match calls {
                1 => segment.to_owned(),
                calls => format!("{segment}.{calls}"),
            };
            self.look_as_fork(step, &place).await?;
            let (reply, around) = self.send(step, &place, question, hints).await?;
            let situation = Situation {
                tries,
                hints,
                has_shrunk,
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
                Next::Shrink { window } => {
                    tell_retry(step, &place, &reply, tries + 1, 0)?;
                    (has_shrunk, tries) = (true, tries - 1);
                    self.shrink(around, window);
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
                    (tries, has_shrunk) = (0, false);
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
    pub(in crate::agent) fn exhausted(&self) -> Option<Bound> {
        self.budget.exhausted(&self.reserve())
    }

    /// What is left of the budget for another call. The closing answer may always be asked for:
    /// what it takes was held back.
    fn left(&self, purpose: Purpose) -> Left {
        if purpose == Purpose::Synthesise || self.exhausted().is_none() {
            Left::Enough
        } else if self.budget.used_up(&self.reserve()).is_none() {
            Left::Crowded
        } else {
            Left::Nothing
        }
    }

    /// Says what was wrong with a reply that meant to call a tool.
    fn hint(&mut self, said: String, wrong: &str) -> Result<(), End> {
        self.transcript.say(Message::text(Role::Assistant, said));
        let wrong = self.run.prompts.error(wrong);
        self.note(Note::Hint, &[("wrong", Value::Words(wrong))])
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

    /// A fork looks at the month before its first call of its own, as a run does before its
    /// first; over the limit it goes on without cost.
    async fn look_as_fork(&mut self, step: &Step, place: &str) -> Result<(), Halt> {
        let reserve = self.reserve();
        let month = self.budget.month();
        if !month.is_over_for_fork(step, place, &reserve).await? {
            return Ok(());
        }
        let next = self.models.pop_without_cost();
        let failure = Failure::of_month(&self.run.config.settings);
        self.change_to(step, &format!("{place}.fork"), &next, Some(failure))
    }
}

/// What follows a reply, or a failure.
#[derive(Debug, PartialEq, Eq)]
enum Next {
    /// The reply is the answer to the call.
    Done,
    /// The model is told what was wrong with the call that it wrote.
    Hint {
        /// What it wrote.
        said: String,
        /// What was wrong with it.
        wrong: String,
    },
    /// The user is asked to let Gloss connect to this origin.
    AskPermission {
        /// As in `https://api.example`.
        origin: String,
    },
    /// Less is sent to the same model.
    Shrink {
        /// The model's window in tokens, where it said so.
        window: Option<u32>,
    },
    /// The same is sent again after a wait.
    Retry {
        /// In milliseconds.
        wait_ms: u64,
    },
    /// The next model of the user's order is asked; without one, the call has failed.
    FallBack,
    /// The call has failed.
    GiveUp,
}

/// What a decision about the next call depends on, besides the reply.
struct Situation {
    /// The calls that this model was sent, from 1: hints and permissions aside.
    tries: u8,
    /// The hints that were given.
    hints: u8,
    /// Less was sent already.
    has_shrunk: bool,
    offer: Offer,
    left: Left,
    /// The wait where the server asks for none.
    backoff_ms: u64,
}

/// What the budgets have left for another call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Left {
    Enough,
    /// Enough, but the transcript doesn't fit: only less may be sent.
    Crowded,
    Nothing,
}

/// What comes next. It asks nobody and changes nothing.
fn decide(situation: &Situation, reply: &Result<Reply, ModelError>) -> Next {
    let error = match reply {
        Ok(reply) => return hint(situation, reply).unwrap_or(Next::Done),
        Err(error) => error,
    };
    if let Some(origin) = error.origin_needed() {
        let origin = origin.to_owned();
        return Next::AskPermission { origin };
    }
    if error.is_too_long() && !situation.has_shrunk && situation.left != Left::Nothing {
        let window = error.window_said();
        return Next::Shrink { window };
    }
    if situation.left == Left::Enough && situation.tries < TRIES && error.is_retryable() {
        let wait_ms = error.retry_after_ms().unwrap_or(situation.backoff_ms);
        if wait_ms <= MOST_WAIT_MS {
            return Next::Retry { wait_ms };
        }
    }
    // The user unlocks their keys rather than have another model answer.
    if error.awaits_unlocking() {
        Next::GiveUp
    } else {
        Next::FallBack
    }
}

fn hint(situation: &Situation, reply: &Reply) -> Option<Next> {
    let wrong = reply.malformed.clone()?;
    let may_hint = situation.offer == Offer::Tools
        && situation.hints < HINTS
        && situation.left == Left::Enough;
    let said = [&reply.text, &reply.written].map(|it| it.trim());
    let said = said.into_iter().filter(|it| !it.is_empty());
    let said = said.collect::<Vec<_>>().join("\n");
    may_hint.then_some(Next::Hint { said, wrong })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Fault, Server, ServerKind, Usage};

    fn error(fault: Fault) -> Result<Reply, ModelError> {
        Err(ModelError::Server {
            server: Box::new(Server {
                name: "Name".to_owned(),
                origin: "https://a.example".to_owned(),
                model: "m".to_owned(),
                kind: ServerKind::Other,
            }),
            fault,
            used: Usage::default(),
            partial: String::new(),
        })
    }

    fn malformed() -> Result<Reply, ModelError> {
        Ok(Reply {
            text: " So: ".to_owned(),
            written: "{".to_owned(),
            malformed: Some("no end".to_owned()),
            ..Reply::default()
        })
    }

    fn situation() -> Situation {
        Situation {
            tries: 1,
            hints: 0,
            has_shrunk: false,
            offer: Offer::Tools,
            left: Left::Enough,
            backoff_ms: 7,
        }
    }

    #[test]
    fn a_reply_or_a_failure_decides_what_comes_next() {
        use Next::{AskPermission, Done, FallBack, GiveUp, Hint, Retry, Shrink};
        let limited = |ms| {
            error(Fault::RateLimited {
                retry_after_ms: Some(ms),
            })
        };
        let too_long = || error(Fault::ContextTooLong { said: None });
        let denied = || {
            error(Fault::NotPermitted {
                origin: "https://a.example".to_owned(),
            })
        };
        let hint = || Hint {
            said: "So:\n{".to_owned(),
            wrong: "no end".to_owned(),
        };
        let ask = || AskPermission {
            origin: "https://a.example".to_owned(),
        };
        type Change = fn(&mut Situation);
        let same: Change = |_| ();
        let crowded: Change = |it| it.left = Left::Crowded;
        let nothing: Change = |it| it.left = Left::Nothing;
        let tried: Change = |it| it.tries = TRIES;
        let hinted: Change = |it| it.hints = HINTS;
        let shrunk: Change = |it| it.has_shrunk = true;
        let silent: Change = |it| it.offer = Offer::Nothing;
        let table = [
            (Ok(Reply::default()), same, Done),
            (malformed(), same, hint()),
            (malformed(), hinted, Done),
            (malformed(), silent, Done),
            (malformed(), crowded, Done),
            (malformed(), nothing, Done),
            (denied(), same, ask()),
            (denied(), nothing, ask()),
            (too_long(), same, Shrink { window: None }),
            (too_long(), crowded, Shrink { window: None }),
            (too_long(), tried, Shrink { window: None }),
            (too_long(), shrunk, FallBack),
            (too_long(), nothing, FallBack),
            (error(Fault::Cut), same, Retry { wait_ms: 7 }),
            (error(Fault::Cut), crowded, FallBack),
            (error(Fault::Cut), nothing, FallBack),
            (error(Fault::Cut), tried, FallBack),
            (limited(9), same, Retry { wait_ms: 9 }),
            (
                limited(MOST_WAIT_MS),
                same,
                Retry {
                    wait_ms: MOST_WAIT_MS,
                },
            ),
            (limited(MOST_WAIT_MS + 1), same, FallBack),
            (error(Fault::Unreachable), same, FallBack),
            (error(Fault::KeysLocked), same, GiveUp),
            (Err(ModelError::NoPage), same, FallBack),
        ];
        for (place, (reply, change, expected)) in table.into_iter().enumerate() {
            let mut situation = situation();
            change(&mut situation);
            assert_eq!(decide(&situation, &reply), expected, "row {place}");
        }
    }
}
