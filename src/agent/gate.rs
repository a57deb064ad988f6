//! The confidence gate: enforced by the loop, not only asked for in the prompt.

use super::ask::Offer;
use super::desk::{Desk, Step};
use super::thought::{Draft, Instead, Thought};
use super::{End, Event, Said, Style};
use crate::model::{Message, Role};
use crate::phrase::phrase;
use crate::prompts::{Note, Value};

/// What becomes of a thought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gate {
    /// It answers, and the answer stands.
    Answers,
    /// It answers too early: the model is told why and thinks again.
    Refused,
    /// It acts.
    Acts,
}

impl Style {
    /// The confidence below which an answer without tools is refused (SPEC §2).
    pub(super) fn threshold(self) -> f32 {
        match self {
            Self::ToolFirst => 0.95,
            Self::Balanced => 0.8,
            Self::Direct => 0.6,
        }
    }
}

/// Judges a thought.
pub(super) fn judge(step: &Step, thought: &Thought, desk: &mut Desk) -> Result<Gate, End> {
    let Some(draft) = thought.answer.clone() else {
        // From what is known by then.
        let closes = thought.calls.is_empty() && desk.gives_no_reasons();
        return Ok(if closes { Gate::Answers } else { Gate::Acts });
    };
    if admit(step, draft, desk)? {
        return Ok(Gate::Answers);
    }
    step.tell(
        "observation",
        &Event::ObservationMade {
            step: step.number,
            observation: Said::Phrase(phrase("observation_refused")),
            goal_met: false,
        },
    )?;
    Ok(Gate::Refused)
}

/// Lays an answer on the desk, or refuses it: once, if it is below the style's
/// threshold, no tool has given a result yet and one could (DETAILS §2).
pub(super) fn admit(step: &Step, mut draft: Draft, desk: &mut Desk) -> Result<bool, End> {
    let threshold = desk.brief.settings.style.threshold();
    let informs = desk.toolbox.informs(&desk.offered(Offer::Tools).tools);
    if is_unsure(&draft, desk) && !desk.refused && informs {
        desk.refused = true;
        step.tell(
            "gate",
            &Event::AnswerRefused {
                step: step.number,
                confidence: draft.confidence,
                threshold,
            },
        )?;
        let said = Message::text(Role::Assistant, draft.text);
        desk.say(said);
        let figure = |figure: f32| Value::Ours(format!("{figure:.2}"));
        let figures = [
            ("confidence", figure(draft.confidence)),
            ("threshold", figure(threshold)),
        ];
        desk.note(Note::Refused, &figures)?;
        return Ok(false);
    }
    mark(&mut draft, desk);
    desk.draft = Some(draft);
    Ok(true)
}

/// An answer that stands although it is unsure says so.
pub(super) fn mark(draft: &mut Draft, desk: &Desk) {
    if is_unsure(draft, desk) && !draft.text.trim().is_empty() {
        draft.remarks.push(phrase("remark_low_confidence"));
    }
}

fn is_unsure(draft: &Draft, desk: &Desk) -> bool {
    let below = draft.confidence < desk.brief.settings.style.threshold();
    below && !desk.informed && draft.instead == Instead::OfNothing
}
