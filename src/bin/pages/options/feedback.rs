//! What became of a change, beside the control that made it.

use crate::live::live;
use crate::parts::{done_text, error_text, tag};
use crate::words::{msg, said};
use gloss::app::options::Outcome;
use gloss::app::preferences::{FieldName, Problem};
use gloss::phrase::{Phrase, phrase};
use sycamore::prelude::*;

/// What became of a change.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum Feedback {
    /// Nothing was asked.
    #[default]
    None,
    /// It is stored.
    Saved,
    /// It is done, in these words.
    Done(String),
    /// Fields were refused.
    Refused(Vec<Problem>),
    /// It failed: what happened, and what to do.
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

    /// A refusal by the page itself.
    pub(crate) fn refused(field: FieldName, key: &'static str) -> Self {
        let words = phrase(key);
        Self::Refused(vec![Problem { field, words }])
    }

    /// The words for a field, if it was refused.
    pub(crate) fn at(&self, field: FieldName) -> Option<String> {
        let Self::Refused(problems) = self else {
            return None;
        };
        let problem = problems.iter().find(|problem| problem.field == field);
        problem.map(|problem| said(&problem.words))
    }

    /// What is shown of it, but for what is shown at a field.
    pub(crate) fn view(self) -> View {
        match self {
            Self::None | Self::Refused(_) => View::new(),
            Self::Saved => done_text(msg("options_saved")),
            Self::Done(words) => done_text(words),
            Self::Failed(title, remedy) => {
                error_text(format!("{}. {}", said(&title), said(&remedy)))
            }
        }
    }
}

/// Why a field was refused, as it changes.
pub(crate) fn refusal_at(
    feedback: Signal<Feedback>,
    field: FieldName,
) -> ReadSignal<Option<String>> {
    create_selector(move || feedback.with(|feedback| feedback.at(field)))
}

/// "Saved", or why not, in a live region.
pub(crate) fn feedback(of: Signal<Feedback>) -> View {
    let view = live(move || of.get_clone().view());
    tag("span.meta", view).role("status").into()
}

/// The heading of a group, with what became of the last change in it.
pub(crate) fn group_heading(id: &'static str, words: String, of: Signal<Feedback>) -> View {
    tag(
        "div.row.wrap.baseline",
        (tag("h3", words).id(id), feedback(of)),
    )
    .into()
}
