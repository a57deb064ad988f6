//! The confidence gate: enforced by the loop, not only asked for in the prompt.

use super::desk::{Desk, Step};
use super::thought::Thought;
use super::{Event, Said, Style};
use crate::durable::Halt;
use crate::model::{Message, Role};
use crate::phrase::phrase;

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

/// Judges a thought. An answer is refused once, if it is below the style's
/// threshold, no tool has given a result yet and one could (DETAILS §2).
pub(super) fn judge(step: &Step, thought: &Thought, desk: &mut Desk) -> Result<Gate, Halt> {
    let Some(draft) = &thought.answer else {
        return Ok(Gate::Acts);
    };
    let threshold = desk.brief.settings.style.threshold();
    let unsure = draft.confidence < threshold && !desk.informed;
    if unsure && !desk.refused && desk.document().is_some() {
        desk.refused = true;
        step.tell(
            "gate",
            &Event::AnswerRefused {
                step: step.number,
                confidence: draft.confidence,
                threshold,
            },
        )?;
        step.tell(
            "observation",
            &Event::ObservationMade {
                step: step.number,
                observation: Said::Phrase(phrase("observation_refused")),
                goal_met: false,
            },
        )?;
        let (said, hint) = (draft.text.clone(), refusal(draft.confidence, threshold));
        desk.transcript.push(Message::text(Role::Assistant, said));
        desk.transcript.push(Message::text(Role::System, hint));
        return Ok(Gate::Refused);
    }
    let mut draft = draft.clone();
    if unsure {
        draft.remark = Some(phrase("remark_low_confidence"));
    }
    desk.draft = Some(draft);
    Ok(Gate::Answers)
}

fn refusal(confidence: f32, threshold: f32) -> String {
    format!(
        "That answer was not shown: its confidence is {confidence:.2}, this style asks for \
         {threshold:.2}, and no tool has been used. Use a tool that fits, or answer again if none does."
    )
}
