//! What was gathered, laid before a model: each piece read where it stands and told as it was.
//!
//! Deliberately absent: what became of it on the way, as what is old is shortened anew by
//! whoever goes on.

use crate::config::{Cycle, FollowUp};
use crate::dialogue::Dialogue;
use crate::events::{Called, End, Gathered, Piece, Spent};
use crate::react::state::State;
use crate::run::Done;
use crate::thought::Thought;
use gloss_context::shortened;
use gloss_durable::{Ctx, Entry, Halt, json};
use gloss_model::phrase::phrase;
use gloss_model::prompts::Note;
use gloss_model::{AskLabel, Message, ModelError, Purpose, Reply, Role, ToolCall};
use gloss_tools::{Brings, Output, ToolError, ToolLabel, ToolOutcome};
use serde_json::Value;

/// As much is shown of an outcome that this code cannot read, in tokens.
const UNREAD_TOKENS: u32 = 2_000;

/// Adds what was gathered before the code changed, and counts on from it.
pub(crate) async fn take_up(ctx: &Ctx, state: &mut State, gathered: Gathered) -> Result<(), End> {
    let run = state.dialogue.run.clone();
    state.dialogue.note(Note::Renewed, &[])?;
    // Those that the last reply asked for, and it, while none of them was made.
    let mut chosen: Vec<ToolCall> = Vec::new();
    let mut open: Option<Reply> = None;
    for piece in gathered.pieces {
        match piece {
            Piece::Asked { arrived } => {
                if let Some(Entry::Arrived { body, .. }) = ctx.entry(arrived)
                    && let Ok(follow_up) = json::read::<FollowUp>(&body)
                {
                    state.hear(&follow_up)?;
                }
            }
            Piece::Replied { intent, outcome } => {
                if let Some((label, reply)) = replied(ctx, intent, outcome).await? {
                    state.dialogue.transcript.at_step(label.step);
                    hear_again(&mut state.dialogue, label.purpose, &reply);
                    if !reply.calls.is_empty() {
                        chosen.clone_from(&reply.calls);
                    }
                    let cycle = run.config.settings.cycle;
                    open = Some(reply).filter(|_| carries(cycle, label.purpose));
                }
            }
            Piece::Said { step, words } => {
                let transcript = &mut state.dialogue.transcript;
                transcript.at_step(step);
                transcript.say(Message::text(Role::Assistant, words));
            }
            Piece::Called { calls } => {
                open = None;
                let mut done = Vec::with_capacity(calls.len());
                for called in calls {
                    if let Some((step, call)) = made(ctx, &called, &chosen).await? {
                        state.dialogue.transcript.at_step(step);
                        done.push(call);
                    }
                }
                state.take_done(&done);
                let room = state.dialogue.models.current.room;
                state.dialogue.transcript.take_results(&run, room, done);
            }
        }
    }
    let open = open.filter(|reply| !reply.calls.is_empty());
    let thought = open.map(Thought::of);
    state.progress.carried = thought.filter(|thought| thought.said.is_some());
    state.dialogue.transcript.at_step(gathered.steps);
    let spent = Spent {
        tokens: gathered.tokens,
        cost: gathered.cost,
        unpriced: gathered.unpriced,
    };
    let budget = &mut state.dialogue.budget;
    budget.go_on_with(gathered.steps, spent, gathered.tool_calls);
    // Of which tools is not told there.
    if gathered.tool_calls > 0 {
        state.permissions.take(Brings::OfOthers);
    }
    Ok(())
}

/// Takes what a model replied for what it was, but for its price, which is paid.
fn hear_again(dialogue: &mut Dialogue, purpose: Purpose, reply: &Reply) {
    dialogue.budget.take_complexity(reply.control.complexity);
    dialogue.transcript.take_reply(reply);
    if purpose == Purpose::Observe && reply.malformed.is_none() {
        let room = dialogue.models.current.room;
        dialogue.transcript.take_observation(&reply.control, room);
    }
}

/// Whether what a model replies to this may be a thought with its calls.
fn carries(cycle: Cycle, purpose: Purpose) -> bool {
    match cycle {
        Cycle::Fused => matches!(purpose, Purpose::Reason | Purpose::Observe),
        Cycle::Strict => purpose == Purpose::Act,
    }
}

/// A call with what it gave, and its step; `None` where even the call cannot be read.
async fn made(ctx: &Ctx, called: &Called, chosen: &[ToolCall]) -> Result<Option<(u8, Done)>, Halt> {
    let Some(Entry::Intent { label, .. }) = ctx.entry(called.intent) else {
        return Ok(None);
    };
    let Ok(label) = json::read::<ToolLabel>(&label) else {
        return Ok(None);
    };
    let outcome = match called.outcome {
        Some(outcome) => ctx.outcome(outcome).await?.map(outcome_of),
        None => None,
    };
    let outcome = outcome.unwrap_or_else(|| ToolOutcome::not_made(ToolError::OutcomeUnknown));
    let is_it = |call: &&ToolCall| ToolLabel::of(label.step, call) == label;
    let call = chosen.iter().find(is_it).cloned();
    let done = Done {
        call: call.unwrap_or_else(|| label.call()),
        outcome,
        tries: called.tries,
    };
    Ok(Some((label.step, done)))
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
            result: Ok(Output::new(data, phrase("observation_none"))),
            duration_ms: 0,
            aided: Vec::new(),
            so_far: None,
        }
    })
}
