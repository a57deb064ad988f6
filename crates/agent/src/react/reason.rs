//! Reason: the thought of a step and its calls.

use crate::config::Cycle;
use crate::dialogue::Dialogue;
use crate::dialogue::ask::{Offer, Question};
use crate::events::{End, Event};
use crate::fork;
use crate::run::Step;
use crate::thought::Thought;
use gloss_model::Purpose;
use gloss_model::phrase::{DisplayText, phrase};
use gloss_model::prompts::Note;

/// Returns the thought of this step. The thought comes from the last observation (`carried`), from
/// the button that started the run, or from a model call. Every call that this function returns has
/// a reason (Property 2).
pub(crate) async fn reason(
    step: &Step,
    carried: Option<Thought>,
    dialogue: &mut Dialogue,
) -> Result<Thought, End> {
    let mut thought = match planned(step, carried, dialogue) {
        Some(thought) => thought,
        None => match dialogue.run.config.settings.cycle {
            Cycle::Fused => {
                let question = Question::new("reason", Purpose::Reason, Offer::Tools);
                Thought::of(dialogue.ask(step, question).await?)
            }
            Cycle::Strict => strict(step, dialogue).await?,
        },
    };
    if thought.lacks_a_reason() && dialogue.exhausted().is_none() {
        thought = insist(step, thought, dialogue).await?;
        if thought.lacks_a_reason() {
            // Calls without a reason are not run (DETAILS §2).
            thought.calls.clear();
            thought.said = Some(DisplayText::Phrase(phrase("thought_missing")));
        }
    }
    let said = thought.said.clone();
    step.record_event(
        "thought",
        &Event::ThoughtFormed {
            step: step.number,
            thought: said.unwrap_or_else(|| DisplayText::Phrase(phrase("thought_answer"))),
        },
    )?;
    Ok(thought)
}

/// Returns a thought that needs no model call: `carried` or the button's thought. Returns `None` if
/// there is none, or if the user's edit requires a new thought.
fn planned(step: &Step, carried: Option<Thought>, dialogue: &Dialogue) -> Option<Thought> {
    let run = &dialogue.run;
    let forked = run.config.forked.as_ref();
    if forked.is_some_and(|forked| forked.regenerates_thought_at(step.number)) {
        return None;
    }
    // After an update of Gloss, step 1 may begin again although the button's call was made already.
    let is_first = step.number == 1 && !dialogue.budget.has_called();
    carried.or_else(|| {
        let button = Thought::of_button(&run.config.goal, run.selection.as_ref());
        let mut thought = button.filter(|_| is_first)?;
        if let Some(forked) = forked.filter(|forked| forked.step == 1) {
            fork::edit_thought(&forked.edit, &mut thought);
        }
        Some(thought)
    })
}

/// Asks the model for the plan in one call without tools, and for the tool calls in a second call.
async fn strict(step: &Step, dialogue: &mut Dialogue) -> Result<Thought, End> {
    let question = Question::new("reason", Purpose::Reason, Offer::Nothing);
    let planned = Thought::planned(dialogue.ask(step, question).await?);
    if planned.answer.is_some() || dialogue.exhausted().is_some() {
        return Ok(planned);
    }
    let question = Question::new("call", Purpose::Act, Offer::Tools);
    let chosen = Thought::of(dialogue.ask(step, question).await?);
    Ok(Thought {
        said: planned.said.or(chosen.said),
        ..chosen
    })
}

/// Asks the model once more for the reason of its calls. If the new reply contains only a reason,
/// the earlier calls are used.
async fn insist(step: &Step, meant: Thought, dialogue: &mut Dialogue) -> Result<Thought, End> {
    let echo = dialogue.transcript.echo().cloned();
    dialogue.note(Note::Insist, &[])?;
    let purpose = match dialogue.run.config.settings.cycle {
        Cycle::Fused => Purpose::Reason,
        Cycle::Strict => Purpose::Act,
    };
    let question = Question::new("reason", purpose, Offer::Tools).again("reason.again");
    let mut thought = Thought::of(dialogue.ask(step, question).await?);
    if thought.calls.is_empty() && thought.answer.is_none() {
        thought.calls = meant.calls;
        dialogue.transcript.restore_echo(echo);
    }
    Ok(thought)
}
