//! The confidence gate and the run's progress. The gate refuses an early answer of low confidence.
//! The prompt states the required confidence, and the gate enforces it (SPEC §2, DETAILS §2).

use crate::config::Style;
use crate::dialogue::Dialogue;
use crate::events::{End, Event};
use crate::run::Step;
use crate::thought::{Draft, DraftOrigin, Thought};
use gloss_model::phrase::phrase;
use gloss_model::prompts::{Note, Value};
use gloss_model::{Message, Role};

/// The number of consecutive thoughts without a call or an answer after which the loop ends. A
/// thought whose calls were removed, because the model gave no reason for them even when asked,
/// counts too. A third thought would rarely be better.
const MOST_IDLE: u8 = 2;

/// The progress of a run.
#[derive(Default)]
pub(crate) struct Progress {
    /// The next thought, if an observation contained one, or if an update interrupted the run after
    /// a thought.
    pub(crate) carried: Option<Thought>,
    /// The answer that the gate accepted.
    pub(crate) draft: Option<Draft>,
    /// True if a tool has given a result.
    is_informed: bool,
    /// True if the gate has refused an answer. In that case the gate accepts the next answer.
    has_refused: bool,
    /// The number of consecutive thoughts without a call or an answer.
    idle: u8,
}

/// The gate's decision about a thought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gate {
    /// The thought contains an answer, and the gate accepts the answer.
    Answers,
    /// The gate refuses the answer. The model reads the reason and thinks again.
    Refused,
    /// The run continues. The thought's calls, if any, are made.
    Acts,
    /// This is the second consecutive thought without a call or an answer. The loop ends with the
    /// results so far.
    Idle,
}

impl Style {
    /// Returns the confidence below which an answer without tools is refused (SPEC §2).
    pub(crate) fn threshold(self) -> f32 {
        match self {
            Self::ToolFirst => 0.95,
            Self::Balanced => 0.8,
            Self::Direct => 0.6,
        }
    }
}

impl Progress {
    /// Records that a tool has given a result.
    pub(crate) fn set_has_result(&mut self) {
        self.is_informed = true;
    }

    /// Returns true if a tool has given a result.
    pub(crate) fn is_informed(&self) -> bool {
        self.is_informed
    }

    /// Returns the gate's decision about a thought.
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

    /// Accepts an answer and returns true, or refuses the answer and returns false (DETAILS §2). In
    /// each run, the gate refuses at most one answer. The model's answer is refused if its
    /// confidence is below the style's threshold, no tool has given a result, and a search tool
    /// could give one.
    pub(crate) fn admit(
        &mut self,
        step: &Step,
        mut draft: Draft,
        dialogue: &mut Dialogue,
    ) -> Result<bool, End> {
        let style = dialogue.run.config.settings.style;
        if !self.is_unsure(&draft, style) || self.has_refused || !dialogue.has_search_tool() {
            self.add_confidence_remark(&mut draft, style);
            self.draft = Some(draft);
            return Ok(true);
        }
        self.has_refused = true;
        let (confidence, threshold) = (draft.confidence, style.threshold());
        step.record_event(
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

    /// Adds a remark to the model's answer if its confidence is low and no tool has given a result.
    pub(crate) fn add_confidence_remark(&self, draft: &mut Draft, style: Style) {
        if self.is_unsure(draft, style) && !draft.text.trim().is_empty() {
            draft.remarks.push(phrase("remark_low_confidence"));
        }
    }

    fn is_unsure(&self, draft: &Draft, style: Style) -> bool {
        let below = draft.confidence < style.threshold();
        below && !self.is_informed && draft.instead == DraftOrigin::OfNothing
    }
}
