//! Act: the calls of a step, independent ones in parallel.

use super::desk::{Desk, Step, tell};
use super::wait::Wait;
use super::{End, Event, Need, Verdict};
use crate::durable::{Class, Ctx, Halt};
use crate::host::Clock;
use crate::markdown::clean;
use crate::model::ToolCall;
use crate::tools::{RunTool, ToolError, ToolOutcome, Toolbox};
use futures::future::join_all;
use std::collections::BTreeMap;
use std::rc::Rc;

/// How often the same call is made: a failure is tried once more (DETAILS §4).
/// Within `max_retries` 3 (Property 1).
const TRIES: u32 = 2;

/// The wait before the second try.
const BACKOFF_MS: u64 = 1_000;

/// A call and what it gave.
pub(super) struct Done {
    pub(super) call: ToolCall,
    pub(super) outcome: ToolOutcome,
}

/// Runs the calls of a step, as many as the bound allows.
pub(super) async fn act(
    step: &Step,
    calls: &[ToolCall],
    desk: &mut Desk,
) -> Result<Vec<Done>, End> {
    let allowed = calls.iter().take(desk.calls_left()).cloned();
    let mut left: Vec<(usize, ToolCall)> = allowed.enumerate().collect();
    desk.tool_calls += left.len() as u32;
    let hand = Hand {
        ctx: step.ctx.at("act"),
        step: step.number,
        toolbox: desk.toolbox.clone(),
        clock: desk.hands.clock.clone(),
    };
    let mut done: BTreeMap<usize, Done> = BTreeMap::new();
    while !left.is_empty() {
        let (now, later) = wave(left, &desk.toolbox);
        let report = match now.len() {
            0 | 1 => Report::WithTheNext,
            _ => Report::AtOnce,
        };
        let runs = now.into_iter();
        let results = join_all(runs.map(|(place, call)| hand.run(place, call, report))).await;
        for result in results {
            let (place, result) = result?;
            done.insert(place, result);
        }
        left = later;
    }
    Ok(done.into_values().collect())
}

type Calls = Vec<(usize, ToolCall)>;

/// The calls that can run now: those that wait for no other call that is left.
/// External ones go one at a time, in order (DETAILS §2). A circle of waiting
/// is broken at its first call.
fn wave(left: Calls, toolbox: &Toolbox) -> (Calls, Calls) {
    let ids: Vec<String> = left.iter().map(|(_, call)| call.id.clone()).collect();
    let waits = |call: &ToolCall| {
        call.after
            .as_ref()
            .is_some_and(|after| *after != call.id && ids.contains(after))
    };
    let (mut now, mut later): (Calls, Calls) = left.into_iter().partition(|(_, call)| !waits(call));
    if now.is_empty() {
        now = later.drain(..1).collect();
    }
    let external = |(_, call): &(usize, ToolCall)| toolbox.class(call) == Class::External;
    if now.len() > 1 && now.iter().any(external) {
        let (mut alone, rest): (Calls, Calls) = now.into_iter().partition(external);
        if rest.is_empty() {
            later.extend(alone.split_off(1));
            now = alone;
        } else {
            later.extend(alone);
            now = rest;
        }
    }
    (now, later)
}

/// When the end of a call is written and told.
#[derive(Clone, Copy)]
enum Report {
    /// With what comes next: one write a step.
    WithTheNext,
    /// By itself: parallel calls end one by one, and a slow one keeps no other's
    /// result from the journal.
    AtOnce,
}

/// What every call of a step has in common.
struct Hand {
    ctx: Ctx,
    step: u8,
    toolbox: Rc<Toolbox>,
    clock: Rc<dyn Clock>,
}

impl Hand {
    async fn run(
        &self,
        place: usize,
        call: ToolCall,
        report: Report,
    ) -> Result<(usize, Done), Halt> {
        let ctx = self.ctx.at(place);
        let outcome = match self.toolbox.class(&call) {
            Class::Safe | Class::Keyed => self.retried(&ctx, &call).await?,
            Class::External => self.as_told(&ctx, &call).await?,
        };
        let summary = match &outcome.result {
            Ok(output) => output.summary.clone(),
            Err(error) => error.summary(),
        };
        tell(
            &ctx,
            "done",
            &Event::ToolFinished {
                step: self.step,
                call: call.id.clone(),
                tool: call.name.clone(),
                success: outcome.result.is_ok(),
                summary,
                duration_ms: outcome.duration_ms,
            },
        )?;
        match report {
            Report::WithTheNext => {}
            Report::AtOnce => ctx.durable().await?,
        }
        Ok((place, Done { call, outcome }))
    }

    /// Makes a call that may be made again.
    async fn retried(&self, ctx: &Ctx, call: &ToolCall) -> Result<ToolOutcome, Halt> {
        let mut outcome = self.attempt(ctx, 1, call).await?;
        for attempt in 2..=TRIES {
            if !outcome.result.as_ref().is_err_and(ToolError::is_retryable) {
                break;
            }
            let wait = Wait {
                ms: BACKOFF_MS << (attempt - 2),
                clock: self.clock.clone(),
            };
            ctx.step(format_args!("wait.{attempt}"), wait).await?;
            outcome = self.attempt(ctx, attempt, call).await?;
        }
        Ok(outcome)
    }

    /// Makes a call that changes the world. Where nobody knows whether it did, the
    /// person says whether it is made again, under a path of its own.
    async fn as_told(&self, ctx: &Ctx, call: &ToolCall) -> Result<ToolOutcome, Halt> {
        let mut attempt = 1;
        loop {
            match self.attempt(ctx, attempt, call).await {
                Ok(outcome) if !cut_off(&outcome) => return Ok(outcome),
                // A worker that died, or a wait that was over, leaves the same question.
                Ok(_) | Err(Halt::Unknown { .. }) => {}
                Err(halt) => return Err(halt),
            }
            let need = Need::Outcome {
                tool: clean(&call.name),
                arguments: clean(&call.arguments.to_string()),
                sent_at_ms: ctx.begun_at_ms(format_args!("try.{attempt}")),
            };
            match ctx.signal(format_args!("ask.{attempt}"), &need).await? {
                Verdict::Granted => attempt += 1,
                Verdict::Refused => {
                    return Ok(ToolOutcome {
                        result: Err(ToolError::OutcomeUnknown),
                        duration_ms: 0,
                    });
                }
            }
        }
    }

    async fn attempt(&self, ctx: &Ctx, attempt: u32, call: &ToolCall) -> Result<ToolOutcome, Halt> {
        let tool = RunTool {
            toolbox: self.toolbox.clone(),
            call: call.clone(),
            key: ctx.key(),
            step: self.step,
            clock: self.clock.clone(),
        };
        ctx.step(format_args!("try.{attempt}"), tool).await
    }
}

/// Whether a call was abandoned before its answer came.
fn cut_off(outcome: &ToolOutcome) -> bool {
    matches!(outcome.result, Err(ToolError::TimedOut { .. }))
}
