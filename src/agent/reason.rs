//! Reason: why, and which calls.

use super::ask::Offer;
use super::desk::{Desk, Step};
use super::thought::Thought;
use super::{Cycle, End, Event, Said};
use crate::model::Purpose;
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
        thought = insist(step, desk).await?;
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
    let planned = Thought::of(plan);
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

/// Asks once more for the reason of a call; without one it is not run.
async fn insist(step: &Step, desk: &mut Desk) -> Result<Thought, End> {
    desk.note(Note::Insist, &[])?;
    let purpose = match desk.brief.settings.cycle {
        Cycle::Fused => Purpose::Reason,
        Cycle::Strict => Purpose::Act,
    };
    let reply = desk
        .ask_again(step, "reason.again", purpose, Offer::Tools)
        .await?;
    let thought = Thought::of(reply);
    if thought.said.is_some() {
        return Ok(thought);
    }
    Ok(Thought {
        said: Some(Said::Phrase(phrase("thought_missing"))),
        calls: Vec::new(),
        answer: thought.answer,
    })
}
