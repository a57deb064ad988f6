//! What was gathered, laid before a model: each piece read where it stands and told as it was.
//!
//! Deliberately absent: what became of it on the way, as what is old is shortened anew by
//! whoever goes on.

use super::{Called, Gathered, Piece};
use crate::agent::act::Done;
use crate::agent::desk::Desk;
use crate::agent::history::shortened;
use crate::agent::observe::take;
use crate::agent::spending::Spent;
use crate::agent::thought::Thought;
use crate::agent::{Cycle, End, FollowUp};
use crate::durable::{Ctx, Entry, Halt};
use crate::json;
use crate::model::{AskLabel, Message, ModelError, Purpose, Reply, Role, ToolCall};
use crate::phrase::phrase;
use crate::prompts::Note;
use crate::tools::{Brings, Output, ToolError, ToolLabel, ToolOutcome};
use serde_json::Value;

/// As much is shown of an outcome that this code cannot read, in tokens.
const UNREAD_TOKENS: u32 = 2_000;

impl Desk {
    /// Lays out what was gathered before the code changed, and counts on from it.
    pub(in crate::agent) async fn take_up(
        &mut self,
        ctx: &Ctx,
        gathered: Gathered,
    ) -> Result<(), End> {
        self.note(Note::Renewed, &[])?;
        // Those that the last reply asked for, and it, while none of them was made.
        let mut chosen: Vec<ToolCall> = Vec::new();
        let mut open: Option<Reply> = None;
        for piece in gathered.pieces {
            match piece {
                Piece::Asked { arrived } => {
                    if let Some(Entry::Arrived { body, .. }) = ctx.entry(arrived)
                        && let Ok(follow_up) = json::read::<FollowUp>(&body)
                    {
                        self.hear(&follow_up.goal)?;
                    }
                }
                Piece::Replied { intent, outcome } => {
                    if let Some((label, reply)) = replied(ctx, intent, outcome).await? {
                        self.steps = label.step;
                        self.hear_again(label.purpose, &reply);
                        if !reply.calls.is_empty() {
                            chosen.clone_from(&reply.calls);
                        }
                        open = Some(reply).filter(|_| self.carries(label.purpose));
                    }
                }
                Piece::Said { step, words } => {
                    self.steps = step;
                    self.say(Message::text(Role::Assistant, words));
                }
                Piece::Called { calls } => {
                    open = None;
                    let mut done = Vec::with_capacity(calls.len());
                    for called in calls {
                        done.extend(self.made(ctx, &called, &chosen).await?);
                    }
                    let ended = done.iter().map(|it| (&it.call, &it.outcome, it.tries));
                    self.retries.take(ended);
                    take(done, self);
                }
            }
        }
        let thought = open
            .filter(|reply| !reply.calls.is_empty())
            .map(Thought::of);
        self.carried = thought.filter(|thought| thought.said.is_some());
        self.steps = gathered.steps;
        self.spent = Spent {
            tokens: gathered.tokens,
            cost: gathered.cost,
            unpriced: gathered.unpriced,
        };
        self.tool_calls = gathered.tool_calls;
        // Of which tools is not told there.
        if gathered.tool_calls > 0 {
            self.read = Brings::OfOthers;
        }
        Ok(())
    }

    /// Takes what a model replied for what it was, but for its price, which is paid.
    fn hear_again(&mut self, purpose: Purpose, reply: &Reply) {
        if self.complexity.is_none() {
            self.complexity = reply.control.complexity;
        }
        self.remember(reply);
        if purpose == Purpose::Observe && reply.malformed.is_none() {
            self.take_observation(&reply.control);
        }
    }

    /// Whether what a model replies to this may be a thought with its calls.
    fn carries(&self, purpose: Purpose) -> bool {
        match self.brief.settings.cycle {
            Cycle::Fused => matches!(purpose, Purpose::Reason | Purpose::Observe),
            Cycle::Strict => purpose == Purpose::Act,
        }
    }

    /// A call with what it gave; `None` where even the call cannot be read.
    async fn made(
        &mut self,
        ctx: &Ctx,
        called: &Called,
        chosen: &[ToolCall],
    ) -> Result<Option<Done>, Halt> {
        let Some(Entry::Intent { label, .. }) = ctx.entry(called.intent) else {
            return Ok(None);
        };
        let Ok(label) = json::read::<ToolLabel>(&label) else {
            return Ok(None);
        };
        self.steps = label.step;
        let outcome = match called.outcome {
            Some(outcome) => ctx.outcome(outcome).await?.map(outcome_of),
            None => None,
        };
        let outcome = outcome.unwrap_or_else(|| ToolOutcome::not_made(ToolError::OutcomeUnknown));
        if let Ok(output) = &outcome.result {
            self.elsewhere.take(output);
        }
        let is_it = |call: &&ToolCall| ToolLabel::of(label.step, call) == label;
        let call = chosen.iter().find(is_it).cloned();
        Ok(Some(Done {
            call: call.unwrap_or_else(|| label.call()),
            outcome,
            tries: called.tries,
        }))
    }
}

/// What a model was asked for, and its reply.
async fn replied(ctx: &Ctx, intent: u64, outcome: u64) -> Result<Option<(AskLabel, Reply)>, Halt> {
    let Some(Entry::Intent { label, .. }) = ctx.entry(intent) else {
        return Ok(None);
    };
    let Some(value) = ctx.outcome(outcome).await? else {
        return Ok(None);
    };
    let label = json::read::<AskLabel>(&label).ok();
    let reply = json::read::<Result<Reply, ModelError>>(&value).ok();
    Ok(label.zip(reply.and_then(Result::ok)))
}

/// What a call gave, even if this code cannot read all of it.
fn outcome_of(value: Value) -> ToolOutcome {
    json::read::<ToolOutcome>(&value).unwrap_or_else(|_| {
        let data = match shortened(&value.to_string(), UNREAD_TOKENS) {
            short if short.len() < value.to_string().len() => Value::String(short),
            _ => value,
        };
        ToolOutcome {
            result: Ok(Output {
                data,
                summary: phrase("observation_none"),
                share_percent: None,
                picture: None,
            }),
            duration_ms: 0,
            aided: Vec::new(),
            so_far: None,
        }
    })
}
