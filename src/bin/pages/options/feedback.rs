//! The result of a change, which is shown beside the control that made the change.

use crate::prelude::*;
use gloss::app::options::Outcome;
use gloss::app::preferences::{FieldName, Problem};
use gloss::phrase::{Phrase, phrase};

/// The result of a change.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum Feedback {
    /// Nothing was changed yet.
    #[default]
    None,
    /// The change is saved.
    Saved,
    /// The change succeeded, and this text says so.
    Done(String),
    /// The worker refused these fields.
    Refused(Vec<Problem>),
    /// The change failed: the reason, and the remedy.
    Failed(Phrase, Phrase),
}

impl Feedback {
    pub(crate) fn of(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Saved | Outcome::Wrote { .. } | Outcome::Erased => Self::Saved,
            Outcome::Refused { problems } => Self::Refused(problems),
            Outcome::Failed { failure } => Self::Failed(failure.title, failure.remedy),
            Outcome::FoundFacts { .. }
            | Outcome::Learned { .. }
            | Outcome::Exported { .. }
            | Outcome::Listed { .. }
            | Outcome::Found { .. }
            | Outcome::TakenIn { .. }
            | Outcome::Damaged { .. }
            | Outcome::Usage { .. } => Self::None,
        }
    }

    /// A refusal by the page itself, without a request to the worker.
    pub(crate) fn refused(field: FieldName, key: &'static str) -> Self {
        let words = phrase(key);
        Self::Refused(vec![Problem { field, words }])
    }

    /// Returns the reason why this field was refused; `None` if it was not.
    pub(crate) fn refusal_at(&self, field: FieldName) -> Option<String> {
        let Self::Refused(problems) = self else {
            return None;
        };
        let problem = problems.iter().find(|problem| problem.field == field);
        problem.map(|problem| phrase_text(&problem.words))
    }

    /// The result as a view. Refusals are left out, because they are shown beside their fields.
    pub(crate) fn into_feedback(self) -> View {
        match self {
            Self::None | Self::Refused(_) => View::new(),
            Self::Saved => done_text(msg("options_saved")),
            Self::Done(words) => done_text(words),
            Self::Failed(title, remedy) => {
                error_text(format!("{}. {}", phrase_text(&title), phrase_text(&remedy)))
            }
        }
    }
}

/// Returns the reason why this field was refused, as a signal.
pub(crate) fn refusal_at(
    feedback: Signal<Feedback>,
    field: FieldName,
) -> ReadSignal<Option<String>> {
    create_selector(move || feedback.with(|feedback| feedback.refusal_at(field)))
}

/// "Saved" or the failure, in a live region.
pub(crate) fn feedback_line(of: Signal<Feedback>) -> Tag {
    let view = live(move || of.get_clone().into_feedback());
    tag("span.meta", view).role("status")
}

/// The heading of a group, with the outcome of the last change in it.
pub(crate) fn group_heading(id: &'static str, words: String, of: Signal<Feedback>) -> Tag {
    tag(
        "div.row.wrap.baseline",
        (tag("h3", words).id(id), feedback_line(of)),
    )
}
