//! Reason: why, and which calls.

use super::ask::Offer;
use super::desk::{Desk, Step};
use super::thought::Thought;
use super::{Cycle, End, Event, Said};
use crate::model::{Purpose, ToolCall};
use crate::phrase::phrase;
use crate::prompts::Note;

/// The thought of this step: carried by the last observation, a button's own,
/// or asked for. No call leaves here without a reason (Property 2).
pub(super) async fn reason(step: &Step, desk: &mut Desk) -> Result<Thought, End> {
    desk.read_messages(step)?;
    let mut thought = match next(step, desk) {
        Some(thought) => thought,
        None => match desk.brief.settings.cycle {
            Cycle::Fused => Thought::of(
                desk.ask(step, "reason", Purpose::Reason, Offer::Tools)
                    .await?,
            ),
            Cycle::Strict => strict(step, desk).await?,
        },
    };
    if thought.said.is_none() && !thought.calls.is_empty() && desk.exhausted().is_none() {
        thought = unreasoned(step, desk, thought).await?;
    }
    let said = thought
        .said
        .clone()
        .unwrap_or_else(|| Said::Phrase(phrase("thought_answer")));
    step.tell(
        "thought",
        &Event::ThoughtFormed {
            step: step.number,
            thought: said,
        },
    )?;
    Ok(thought)
}

/// The thought that is there already, if the person has not just said otherwise.
fn next(step: &Step, desk: &mut Desk) -> Option<Thought> {
    let carried = desk.carried.take();
    let forked = desk.brief.forked.as_ref();
    if forked.is_some_and(|forked| forked.is_told_at(step.number)) {
        return None;
    }
    // After an update its call may have been made.
    let is_first = step.number == 1 && desk.tool_calls == 0;
    carried.or_else(|| {
        let goal = &desk.brief.goal;
        let mut thought = Thought::of_button(goal, desk.selection.as_ref()).filter(|_| is_first)?;
        if let Some(forked) = forked.filter(|forked| forked.step == 1) {
            forked.amend(&mut thought);
        }
        Some(thought)
    })
}

/// A plain call for the plan, then one for the calls.
async fn strict(step: &Step, desk: &mut Desk) -> Result<Thought, End> {
    let plan = desk
        .ask(step, "reason", Purpose::Reason, Offer::Nothing)
        .await?;
    let planned = Thought::planned(plan);
    if planned.answer.is_some() || desk.exhausted().is_some() {
        return Ok(planned);
    }
    let calls = desk.ask(step, "call", Purpose::Act, Offer::Tools).await?;
    let chosen = Thought::of(calls);
    Ok(Thought {
        said: planned.said.or(chosen.said),
        calls: chosen.calls,
        answer: chosen.answer,
    })
}

/// How often a run asks for the reason of calls (SPEC §2: two hints).
const MOST_ASKED: u8 = 2;

/// What a run knows of a model that calls without a reason.
#[derive(Debug, Default)]
pub(super) struct Unreasoned {
    /// How often it was asked for one.
    asked: u8,
    /// What was called without one, at last.
    last: Vec<ToolCall>,
    /// It calls the same once more: nothing new will come of it.
    pub(super) is_stuck: bool,
}

/// A thought that calls without a reason: it is asked for. A model that gives none all the same
/// gets one of ours, as long as it does not repeat itself.
async fn unreasoned(step: &Step, desk: &mut Desk, thought: Thought) -> Result<Thought, End> {
    let mut thought = thought;
    if desk.unreasoned.asked < MOST_ASKED {
        desk.unreasoned.asked += 1;
        thought = insist(step, desk, thought).await?;
        if thought.said.is_some() || thought.calls.is_empty() {
            return Ok(thought);
        }
        // It has shown that it gives none.
        desk.unreasoned.asked = MOST_ASKED;
    }
    let same = |(a, b): (&ToolCall, &ToolCall)| (&a.name, &a.arguments) == (&b.name, &b.arguments);
    let last = std::mem::replace(&mut desk.unreasoned.last, thought.calls.clone());
    let repeats = last.len() == thought.calls.len();
    if repeats && last.iter().zip(&thought.calls).all(same) {
        desk.unreasoned.is_stuck = true;
        thought.calls.clear();
        return Ok(thought);
    }
    thought.said = Some(Said::Phrase(phrase("thought_unsaid")));
    Ok(thought)
}

/// Asks once more for the reason of calls; where it alone is said, it is theirs.
async fn insist(step: &Step, desk: &mut Desk, meant: Thought) -> Result<Thought, End> {
    let echo = desk.echo.clone();
    desk.note(Note::Insist, &[])?;
    let purpose = match desk.brief.settings.cycle {
        Cycle::Fused => Purpose::Reason,
        Cycle::Strict => Purpose::Act,
    };
    let reply = desk
        .ask_again(step, "reason.again", purpose, Offer::Tools)
        .await?;
    let mut thought = Thought::of(reply);
    if thought.calls.is_empty() && thought.answer.is_none() {
        thought.calls = meant.calls;
        desk.echo = echo;
    }
    Ok(thought)
}
