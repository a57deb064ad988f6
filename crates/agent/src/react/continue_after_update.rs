//! Restores the transcript of a run after an update of Gloss, from the records before the update.
//!
//! Shortened versions of old results are not restored. The run shortens old content again.

use crate::config::{Cycle, FollowUp};
use crate::dialogue::Dialogue;
use crate::events::{CallRef, CarriedEntry, CarryOver, End};
use crate::react::state::State;
use crate::run::CallResult;
use crate::thought::Thought;
use gloss_durable::{Ctx, Entry, Halt, json};
use gloss_model::prompts::Note;
use gloss_model::provenance::{Origin, Provenance};
use gloss_model::{AskLabel, ModelError, Purpose, Reply, ToolCall};
use gloss_tools::{ToolError, ToolLabel, ToolOutcome};

/// Adds the records from before the update, and restores the counts of steps, tokens and calls.
pub(crate) async fn take_up(ctx: &Ctx, state: &mut State, gathered: CarryOver) -> Result<(), End> {
    let run = state.dialogue.run.clone();
    state.dialogue.note(Note::Renewed, &[])?;
    // `chosen` contains the calls of the last reply that had any. `open` is the latest reply, if it
    // may contain a thought and none of its calls has been made.
    let mut chosen: Vec<ToolCall> = Vec::new();
    let mut open: Option<Reply> = None;
    let mut remade = 0;
    for piece in gathered.pieces {
        match piece {
            CarriedEntry::Asked { arrived } => {
                if let Some(Entry::Arrived { body, .. }) = ctx.entry(arrived)
                    && let Ok(follow_up) = json::read::<FollowUp>(&body)
                {
                    state.add_message(&follow_up)?;
                }
            }
            CarriedEntry::Replied { intent, outcome } => {
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
            CarriedEntry::Called { calls } => {
                open = None;
                let mut done = Vec::with_capacity(calls.len());
                for called in calls {
                    if let Some((step, call)) = remake_calls(ctx, &called, &chosen).await? {
                        state.dialogue.transcript.at_step(step);
                        done.push(call);
                    }
                }
                state.apply_results(&done);
                remade += done.len();
                for done in &done {
                    state.permissions.take(&done.call, &done.outcome);
                }
                let room = state.dialogue.models.current.room;
                state.dialogue.transcript.take_results(&run, room, done);
            }
        }
    }
    let open = open.filter(|reply| !reply.calls.is_empty());
    let thought = open.map(Thought::of);
    state.progress.carried = thought.filter(|thought| thought.said.is_some());
    // It is unknown what calls returned whose records were not carried over.
    if remade < usize::try_from(gathered.tool_calls).unwrap_or(usize::MAX) {
        let unknown = Origin::Tool(String::new());
        state.permissions.read(&Provenance::of(unknown));
    }
    state.dialogue.transcript.at_step(gathered.steps);
    let budget = &mut state.dialogue.budget;
    budget.restore(gathered.steps, gathered.spent, gathered.tool_calls);
    Ok(())
}

/// Adds a model's earlier reply. The reply's tokens were counted before the update.
fn hear_again(dialogue: &mut Dialogue, purpose: Purpose, reply: &Reply) {
    dialogue.budget.take_complexity(reply.control.complexity);
    dialogue.transcript.take_reply(reply);
    if purpose == Purpose::Observe && reply.malformed.is_none() {
        let room = dialogue.models.current.room;
        dialogue.transcript.take_observation(&reply.control, room);
    }
}

/// Returns true if the reply to a question of this purpose may contain a thought with its calls.
fn carries(cycle: Cycle, purpose: Purpose) -> bool {
    match cycle {
        Cycle::Fused => matches!(purpose, Purpose::Reason | Purpose::Observe),
        Cycle::Strict => purpose == Purpose::Act,
    }
}

/// Returns a call with its result and step; `None` if the call can't be read.
async fn remake_calls(
    ctx: &Ctx,
    called: &CallRef,
    chosen: &[ToolCall],
) -> Result<Option<(u8, CallResult)>, Halt> {
    let Some(Entry::Intent { label, .. }) = ctx.entry(called.intent) else {
        return Ok(None);
    };
    let Ok(label) = json::read::<ToolLabel>(&label) else {
        return Ok(None);
    };
    let outcome = match called.outcome {
        Some(outcome) => ctx.outcome(outcome).await?,
        None => None,
    };
    let outcome = outcome.and_then(|value| json::read::<ToolOutcome>(&value).ok());
    let outcome = outcome.unwrap_or_else(|| ToolOutcome::not_made(ToolError::OutcomeUnknown));
    let is_it = |call: &&ToolCall| ToolLabel::of(label.step, call) == label;
    let call = chosen.iter().find(is_it).cloned();
    let done = CallResult {
        call: call.unwrap_or_else(|| label.call()),
        outcome,
        tries: called.tries,
    };
    Ok(Some((label.step, done)))
}

/// Returns the label of a question to a model, with the model's reply.
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
