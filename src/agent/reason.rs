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
        thought = reasoned(step, desk, thought).await?;
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

/// How often a run leaves calls unmade for want of a reason. A model that gives none when it is
/// asked gives none later: the run closes with what is known.
const MOST_UNREASONED: u8 = 2;

/// A thought that calls without a reason: it is asked for, and without one nothing is run
/// (DETAILS §2).
async fn reasoned(step: &Step, desk: &mut Desk, thought: Thought) -> Result<Thought, End> {
    let mut thought = insist(step, desk, thought).await?;
    if thought.said.is_none() && !thought.calls.is_empty() {
        desk.unreasoned += 1;
        thought.calls.clear();
        thought.said = Some(Said::Phrase(phrase("thought_missing")));
    }
    Ok(thought)
}

impl Desk {
    /// Whether no call of this model will come with a reason.
    pub(super) fn gives_no_reasons(&self) -> bool {
        self.unreasoned >= MOST_UNREASONED
    }
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
