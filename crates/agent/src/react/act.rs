//! Act: makes the tool calls of a step. Calls that don't depend on each other run in parallel.

use crate::citations::WebSources;
use crate::consent::{Permissions, paid_helpers};
use crate::dialogue::Dialogue;
use crate::events::{End, Event, Verdict};
use crate::react::attempt::{Attempt, Terms};
use crate::react::parallel_calls::{Calls, parallel_calls, select_calls};
use crate::reflexion::Retries;
use crate::run::wait::Wait;
use crate::run::{CallResult, Step, tell};
use futures::FutureExt;
use futures::future::join_all;
use gloss_durable::sorted::SortedMap;
use gloss_durable::{Class, Clock, Ctx, Halt, backoff_ms};
use gloss_markdown::clean;
use gloss_model::ToolCall;
use gloss_tools::{
    Approval, Consent, ConsentState, Execution, FindStandingApproval, MissingRight, RoleModels,
    RunTool, ToolError, ToolLabel, ToolOutcome, Toolbox,
};
use std::cell::Cell;
use std::rc::Rc;

/// The maximum number of tries of one call: a failed call is retried once (DETAILS §4). A try that
/// is repeated after a decision of the user is not counted.
const TRIES: u32 = 2;

/// The results of a step's calls.
pub(crate) struct ActResults {
    /// All calls of the step, in order, including calls that were not made.
    pub(crate) done: Vec<CallResult>,
    /// The number of calls that were made.
    pub(crate) made: usize,
}

/// Makes the calls of a step. Calls beyond the limit on tool calls, and calls that are known to
/// fail, are not made; the model reads why. If the budget can't pay for the model that a tool uses,
/// the tool runs without the model. The caller counts the tokens that the models of tools used.
pub(crate) async fn act(
    step: &Step,
    calls: &[ToolCall],
    dialogue: &mut Dialogue,
    (permissions, sources): (&mut Permissions, &WebSources),
    retries: &Retries,
) -> Result<ActResults, End> {
    let run = dialogue.run.clone();
    let ctx = step.ctx.at("act");
    let (mut left, not_made) = select_calls(calls, dialogue.budget.calls_left(), retries);
    // A single call needs no `CallsChosen`, because its `ToolStarted` follows.
    if calls.len() > 1 || !not_made.is_empty() {
        let calls = calls.iter().map(|call| ToolLabel::of(step.number, call));
        let calls = calls.collect();
        tell(&ctx, "chosen", &Event::CallsChosen { calls })?;
    }
    let asked = dialogue.transcript.requests();
    let document = dialogue.document().map(AsRef::as_ref);
    let mut toolbox = dialogue.toolbox();
    let fetching = left.iter().filter(|(_, call)| toolbox.may_fetch(call));
    let fetching = fetching.map(|(_, call)| call.id.clone()).collect();
    let policy = permissions.policy(&run, asked, document, sources, fetching);
    toolbox.run.policy = Rc::new(policy);
    let toolbox = Rc::new(toolbox);
    let reserve = dialogue.reserve();
    let made = left.iter().map(|(_, call)| call);
    let (answering, budget) = (&dialogue.models.current.choice, &mut dialogue.budget);
    let aid = paid_helpers(step, &run, answering, budget, &reserve, (&*toolbox, made)).await?;
    let hand = StepCalls {
        aid,
        ctx,
        step: step.number,
        retries,
        toolbox,
        clock: run.services.clock.clone(),
        reads_refused: Cell::new(permissions.are_reads_refused),
    };
    let made = left.len();
    let mut done: SortedMap<usize, CallResult> = SortedMap::new();
    for (place, call, error) in not_made {
        let outcome = ToolOutcome::not_made(error);
        done.insert(place, hand.report_end(place, call, outcome, 0)?);
    }
    while !left.is_empty() {
        let (now, later) = parallel_calls(left, &hand.toolbox);
        done.extend(hand.run_parallel(now).await?);
        left = later;
    }
    permissions.are_reads_refused = hand.reads_refused.get();
    let done: Vec<CallResult> = done.into_values().collect();
    for call in &done {
        permissions.take(&call.call, &call.outcome);
    }
    Ok(ActResults { done, made })
}

/// The moment at which the end of a call is written and reported.
#[derive(Clone, Copy)]
enum Report {
    /// The end is written together with later records, so that a step needs fewer writes.
    WithTheNext,
    /// The end is written at once. Parallel calls end at different times, and the record of one
    /// call must not wait for a slower call.
    AtOnce,
}

/// The data that every call of a step shares.
pub(crate) struct StepCalls<'a> {
    ctx: Ctx,
    step: u8,
    toolbox: Rc<Toolbox>,
    aid: RoleModels,
    clock: Rc<dyn Clock>,
    retries: &'a Retries,
    /// True if the user did not allow a search to read the pages that it found. The user is not
    /// asked again.
    reads_refused: Cell<bool>,
}

/// The state of a call that has ended or lacks a permission.
enum CallProgress {
    /// The call has ended.
    Ended(usize, CallResult),
    /// The call lacks a permission.
    Lacks(Box<Attempt>, MissingRight, ToolOutcome),
}

impl StepCalls<'_> {
    /// Makes the calls in parallel. When all of them have ended or lack a permission, the user is
    /// asked for the missing permissions: one question at a time, in the order of the calls.
    async fn run_parallel(&self, calls: Calls) -> Result<Vec<(usize, CallResult)>, Halt> {
        let report = match calls.len() {
            0 | 1 => Report::WithTheNext,
            _ => Report::AtOnce,
        };
        let mut done = Vec::with_capacity(calls.len());
        let mut open = Vec::with_capacity(calls.len());
        for (place, call) in calls {
            open.push(self.begin(place, call).await?);
        }
        while !open.is_empty() {
            let went = join_all(
                open.into_iter()
                    .map(|trying| self.continue_call(trying, report)),
            )
            .await;
            let mut lacking = Vec::new();
            for went in went {
                match went? {
                    CallProgress::Ended(place, call) => done.push((place, call)),
                    CallProgress::Lacks(trying, right, outcome) => {
                        lacking.push((trying, right, outcome));
                    }
                }
            }
            open = Vec::with_capacity(lacking.len());
            let mut answers: Vec<(MissingRight, Verdict)> = Vec::new();
            for (mut trying, right, outcome) in lacking {
                let finds = self.toolbox.properties(&trying.call).reads_found_addresses;
                let verdict = if finds && self.reads_refused.get() {
                    Verdict::Refused
                } else {
                    self.verdict(&trying, &right, &mut answers).await?
                };
                if finds && verdict == Verdict::Refused {
                    self.reads_refused.set(true);
                }
                match trying.take(right, &verdict, &self.toolbox) {
                    Ok(()) => {
                        trying.so_far.clone_from(&outcome.so_far);
                        trying.keep(outcome);
                        open.push(*trying);
                    }
                    Err(error) => {
                        let outcome = ToolOutcome {
                            result: Err(error),
                            ..outcome
                        };
                        done.push((trying.place, self.end(*trying, outcome)?));
                    }
                }
            }
        }
        Ok(done)
    }

    async fn begin(&self, place: usize, call: ToolCall) -> Result<Attempt, Halt> {
        let ctx = self.ctx.at(place);
        let terms = self.terms(&ctx, &call).await?;
        Ok(Attempt {
            place,
            ctx,
            terms,
            call,
            role_calls: Vec::new(),
            worked_ms: 0,
            asked: Vec::new(),
            so_far: None,
            tries: 1,
            made: 1,
        })
    }

    /// Returns the user's decision on a permission. If one of `answers`, which the user gave for
    /// other calls of this round, covers the permission, it applies. If not, the user is asked.
    async fn verdict(
        &self,
        trying: &Attempt,
        right: &MissingRight,
        answers: &mut Vec<(MissingRight, Verdict)>,
    ) -> Result<Verdict, Halt> {
        let known = answers.iter().find(|(asked, _)| asked.covers(right));
        if let Some((_, verdict)) = known {
            return Ok(verdict.clone());
        }
        let always = |(asked, verdict): &&(MissingRight, Verdict)| {
            verdict.is_always() && asked.standing() == right.standing()
        };
        if answers.iter().any(|it| always(&it)) {
            return Ok(Verdict::Granted);
        }
        let place = format!("permit.{}", trying.made);
        let verdict: Verdict = trying.ctx.signal(place, right).await?;
        answers.push((right.clone(), verdict.clone()));
        Ok(verdict)
    }

    async fn continue_call(
        &self,
        mut trying: Attempt,
        report: Report,
    ) -> Result<CallProgress, Halt> {
        let outcome = match self.toolbox.properties(&trying.call).class {
            Class::Safe | Class::Keyed => self.call_with_retries(&mut trying).await?,
            Class::External => self.external_call(&mut trying).await?,
        };
        if let Some(right) = trying.lacks(&outcome) {
            return Ok(CallProgress::Lacks(Box::new(trying), right, outcome));
        }
        let (place, ctx) = (trying.place, trying.ctx.clone());
        let done = self.end(trying, outcome)?;
        match report {
            Report::WithTheNext => {}
            Report::AtOnce => ctx.durable().await?,
        }
        Ok(CallProgress::Ended(place, done))
    }

    /// Ends a call with the outcome of its last try. The duration and the model calls are those of
    /// all tries together.
    fn end(&self, trying: Attempt, outcome: ToolOutcome) -> Result<CallResult, Halt> {
        let Attempt {
            place,
            call,
            mut role_calls,
            worked_ms,
            tries,
            ..
        } = trying;
        role_calls.extend(outcome.role_calls);
        let outcome = ToolOutcome {
            role_calls,
            duration_ms: worked_ms.saturating_add(outcome.duration_ms),
            ..outcome
        };
        self.report_end(place, call, outcome, tries)
    }

    fn report_end(
        &self,
        place: usize,
        call: ToolCall,
        outcome: ToolOutcome,
        tries: u32,
    ) -> Result<CallResult, Halt> {
        let summary = match &outcome.result {
            Ok(output) => output.summary.clone(),
            Err(error) => error.summary(),
        };
        let finished = Event::ToolFinished {
            step: self.step,
            call: call.id.clone(),
            tool: call.name.clone(),
            end: outcome.end(),
            summary,
            duration_ms: outcome.duration_ms,
            tokens: outcome.tokens(),
            cost: outcome.cost(),
            picture: picture(&outcome),
            saved_facts: outcome.saved_facts(&call.name),
            role_calls: outcome.role_calls.clone(),
        };
        tell(&self.ctx.at(place), "done", &finished)?;
        Ok(CallResult {
            call,
            outcome,
            tries,
        })
    }

    /// Makes a call that may be repeated. A failed try is repeated if its error is retryable and
    /// tries are left.
    async fn call_with_retries(&self, trying: &mut Attempt) -> Result<ToolOutcome, Halt> {
        loop {
            let outcome = self.attempt(trying).await?;
            let again = |error: &ToolError| error.is_retryable();
            let most = self.retries.left(&trying.call).min(TRIES);
            if trying.tries >= most || !outcome.result.as_ref().is_err_and(again) {
                return Ok(outcome);
            }
            trying.keep(outcome);
            trying.tries += 1;
            trying.made += 1;
            let wait = Wait {
                ms: backoff_ms(trying.tries - 1, &trying.ctx.key()),
                clock: self.clock.clone(),
            };
            let place = format!("wait.{}", trying.tries);
            trying.ctx.step(place, wait).await?;
        }
    }

    async fn terms(&self, ctx: &Ctx, call: &ToolCall) -> Result<Terms, Halt> {
        let is_answered =
            self.toolbox.properties(call).reads_found_addresses && self.reads_refused.get();
        let consent = self.toolbox.consent(call, &self.aid);
        let standing = match &consent {
            Consent::Shown(right) => right.standing().cloned(),
            Consent::Unasked | Consent::Refused => None,
        };
        let is_always_allowed = match standing {
            Some(wanted) => {
                let find = FindStandingApproval {
                    switches: self.toolbox.run.switches.clone(),
                    wanted,
                };
                ctx.step("always", find).await?
            }
            None => false,
        };
        Ok(Terms {
            rights: if is_answered {
                ConsentState::Answered
            } else {
                ConsentState::MayBeAsked
            },
            approval: if is_always_allowed {
                Approval::Always
            } else {
                Approval::NotAsked
            },
            aid: self.aid.clone(),
            refused: match consent {
                Consent::Shown(right) if !is_always_allowed => {
                    Some(ToolError::NotPermitted { right })
                }
                Consent::Unasked | Consent::Shown(_) => None,
                Consent::Refused => Some(ToolError::NotApproved),
            },
        })
    }

    pub(crate) async fn attempt(&self, trying: &Attempt) -> Result<ToolOutcome, Halt> {
        let Attempt {
            ctx,
            call,
            terms,
            made,
            so_far,
            ..
        } = trying;
        let tool = RunTool {
            toolbox: self.toolbox.clone(),
            call: call.clone(),
            key: ctx.key(),
            refused: terms.refused.clone(),
            rights: terms.rights,
            approval: terms.approval,
            so_far: so_far.clone(),
            aid: terms.aid.clone(),
            step: self.step,
            clock: self.clock.clone(),
        };
        let place = format!("try.{made}");
        match tool.execution() {
            Execution::AtOnce => ctx.step(place, tool).await,
            // The future of a call with steps is large, so it is boxed. Few calls have steps.
            Execution::InSteps => ctx.scope(place, tool).boxed_local().await,
        }
    }
}

/// Returns the description of the image that a call produced, if any.
fn picture(outcome: &ToolOutcome) -> Option<String> {
    let output = outcome.result.as_ref().ok()?;
    output.picture.as_ref().map(|it| clean(&it.shows))
}
