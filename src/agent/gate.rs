//! The confidence gate: enforced by the loop, not only asked for in the prompt.

use super::desk::{Desk, Step};
use super::thought::{Draft, Thought};
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

/// Judges a thought.
pub(super) fn judge(step: &Step, thought: &Thought, desk: &mut Desk) -> Result<Gate, Halt> {
    let Some(draft) = thought.answer.clone() else {
        return Ok(Gate::Acts);
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
pub(super) fn admit(step: &Step, mut draft: Draft, desk: &mut Desk) -> Result<bool, Halt> {
    let threshold = desk.brief.settings.style.threshold();
    if is_unsure(&draft, desk) && !desk.refused && desk.document().is_some() {
        desk.refused = true;
        step.tell(
            "gate",
            &Event::AnswerRefused {
                step: step.number,
                confidence: draft.confidence,
                threshold,
            },
        )?;
        let hint = refusal(draft.confidence, threshold);
        let said = Message::text(Role::Assistant, draft.text);
        desk.transcript.push(said);
        desk.transcript.push(Message::text(Role::System, hint));
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
    draft.confidence < desk.brief.settings.style.threshold() && !desk.informed
}

fn refusal(confidence: f32, threshold: f32) -> String {
    format!(
        "That answer was not shown: its confidence is {confidence:.2}, this style asks for \
         {threshold:.2}, and no tool has been used. Use a tool that fits, or answer again if none does."
    )
}
