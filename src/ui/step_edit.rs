//! The parts of a step that a user can edit, and their current text.

use crate::agent::fork::Edit;
use crate::agent::trajectory::{LogEntryKind, Trajectory};
use crate::app::surface::StepShown;
use crate::durable::RunId;
use crate::phrase::DisplayText;

/// A part of a step that the user can edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepPart {
    /// The step's thought.
    Thought,
    /// The arguments of the tool call with this id.
    Arguments(String),
    /// The result of the tool call with this id.
    Result(String),
}

/// A part that is being edited, with its run and its step.
pub type Steered = (RunId, u8, StepPart);

impl StepPart {
    /// Returns the edit that replaces this part by `text`.
    pub fn edit(self, text: String) -> Edit {
        match self {
            Self::Thought => Edit::Thought { text },
            Self::Arguments(call) => Edit::Arguments { call, json: text },
            Self::Result(call) => Edit::Result { call, text },
        }
    }

    /// Returns the part's current text, in the step with this number.
    pub fn text_in(&self, trajectory: &Trajectory, step: u8) -> Option<DisplayText> {
        let of_step = trajectory.log.iter().filter(|logged| logged.step == step);
        let text = |logged: &LogEntryKind| match (logged, self) {
            (LogEntryKind::Thought { thought }, Self::Thought) => Some(thought.clone()),
            (LogEntryKind::Call(call), Self::Arguments(id)) if call.id == *id => {
                Some(DisplayText::Words(call.arguments.clone()))
            }
            (LogEntryKind::Result(given), Self::Result(id)) if given.id == *id => {
                Some(DisplayText::Words(match &given.outcome {
                    Ok(value) => value
                        .as_str()
                        .map_or_else(|| value.to_string(), str::to_owned),
                    Err(error) => error.clone(),
                }))
            }
            _ => None,
        };
        of_step.rev().find_map(|logged| text(&logged.what))
    }
}

/// Returns the editable parts of a step, in the order of the loop. Parts of a tool call have the
/// tool's name.
pub fn parts_of(step: &StepShown) -> Vec<(StepPart, Option<String>)> {
    let thought = step.thought.as_ref().map(|_| (StepPart::Thought, None));
    let calls = step.calls.iter().flat_map(|call| {
        let arguments = StepPart::Arguments(call.id.clone());
        let result = call
            .summary
            .is_some()
            .then(|| StepPart::Result(call.id.clone()));
        let parts = [Some(arguments), result].into_iter().flatten();
        parts.map(|part| (part, Some(call.tool.clone())))
    });
    thought.into_iter().chain(calls).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_is_of_its_part_and_its_call() {
        let edit = StepPart::Result("c1".to_owned()).edit("other".to_owned());
        assert_eq!(
            edit,
            Edit::Result {
                call: "c1".to_owned(),
                text: "other".to_owned()
            }
        );
    }
}
