//! The confidence gate, and how far the run is: enforced by the loop, not only asked for in the
//! prompt (SPEC §2, DETAILS §2).

use crate::config::Style;
use crate::dialogue::Dialogue;
use crate::events::{End, Event};
use crate::run::Step;
use crate::thought::{Draft, Instead, Thought};
use gloss_model::phrase::phrase;
use gloss_model::prompts::{Note, Value};
use gloss_model::{Message, Role};

/// In so many steps one after the other the model neither calls nor answers: one that gives no
/// reason when it is asked gives none later: the run closes with what is known.
const MOST_IDLE: u8 = 2;

/// How far a run is.
#[derive(Default)]
pub(crate) struct Progress {
    /// The next thought, where an observation carried one.
    pub(crate) carried: Option<Thought>,
    /// The answer that was admitted.
    pub(crate) draft: Option<Draft>,
    /// A tool gave a result.
    is_informed: bool,
    /// The gate refused an answer; the next one is admitted.
    has_refused: bool,
    /// The thoughts that neither called nor answered.
    idle: u8,
}

/// What becomes of a thought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gate {
    /// It answers, and the answer is admitted.
    Answers,
    /// It answers too early: the model is told why and thinks again.
    Refused,
    /// It acts.
    Acts,
    /// It neither calls nor answers, for the second time on end: the run closes with what is
    /// known.
    Idle,
}

impl Style {
    /// The confidence below which an answer without tools is refused (SPEC §2).
    pub(crate) fn threshold(self) -> f32 {
        match self {
            Self::ToolFirst => 0.95,
            Self::Balanced => 0.8,
            Self::Direct => 0.6,
        }
    }
}

impl Progress {
    /// Takes that a tool gave a result.
    pub(crate) fn inform(&mut self) {
        self.is_informed = true;
    }

    /// Whether a tool gave a result.
    pub(crate) fn is_informed(&self) -> bool {
        self.is_informed
    }

    /// Judges a thought.
    pub(crate) fn judge(
        &mut self,
        step: &Step,
        thought: &Thought,
        dialogue: &mut Dialogue,
    ) -> Result<Gate, End> {
        if let Some(draft) = thought.answer.clone() {
            return Ok(if self.admit(step, draft, dialogue)? {
                Gate::Answers
            } else {
                Gate::Refused
            });
        }
        self.idle = if thought.calls.is_empty() {
            self.idle + 1
        } else {
            0
        };
        Ok(if self.idle < MOST_IDLE {
            Gate::Acts
        } else {
            Gate::Idle
        })
    }

    /// Keeps an answer, or refuses it: once, if it is below the style's threshold, no tool has
    /// given a result yet and one could (DETAILS §2).
    pub(crate) fn admit(
        &mut self,
        step: &Step,
        mut draft: Draft,
        dialogue: &mut Dialogue,
    ) -> Result<bool, End> {
        let style = dialogue.run.config.settings.style;
        if !self.is_unsure(&draft, style) || self.has_refused || !dialogue.can_find_out() {
            self.mark(&mut draft, style);
            self.draft = Some(draft);
            return Ok(true);
        }
        self.has_refused = true;
        let (confidence, threshold) = (draft.confidence, style.threshold());
        step.tell(
            "gate",
            &Event::AnswerRefused {
                step: step.number,
                confidence,
                threshold,
            },
        )?;
        let said = Message::text(Role::Assistant, draft.text);
        dialogue.transcript.say(said);
        let figure = |figure: f32| Value::Ours(format!("{figure:.2}"));
        let figures = [
            ("confidence", figure(confidence)),
            ("threshold", figure(threshold)),
        ];
        dialogue.note(Note::Refused, &figures)?;
        Ok(false)
    }

    /// Has an answer that is unsure say so.
    pub(crate) fn mark(&self, draft: &mut Draft, style: Style) {
        if self.is_unsure(draft, style) && !draft.text.trim().is_empty() {
            draft.remarks.push(phrase("remark_low_confidence"));
        }
    }

    fn is_unsure(&self, draft: &Draft, style: Style) -> bool {
        let below = draft.confidence < style.threshold();
        below && !self.is_informed && draft.instead == Instead::OfNothing
    }
}
