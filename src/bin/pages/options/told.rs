//! What became of a change, beside the control that made it.

use crate::icon::icon;
use crate::live::live;
use crate::words::{msg, said};
use gloss::app::options::Outcome;
use gloss::app::preferences::{FieldName, Problem};
use gloss::phrase::Phrase;
use sycamore::prelude::*;

/// It.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum Told {
    /// Nothing was asked.
    #[default]
    Nothing,
    /// It is stored.
    Saved,
    /// It is done, with more to say of it.
    Done(String),
    /// It may not stand.
    Refused(Vec<Problem>),
    /// It could not be done: what, and what to do.
    Failed(Phrase, Phrase),
}

impl Told {
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
            | Outcome::Usage { .. } => Self::Nothing,
        }
    }

    /// The words for a field, if it was refused.
    pub(crate) fn at(&self, field: FieldName) -> Option<String> {
        let Self::Refused(problems) = self else {
            return None;
        };
        let problem = problems.iter().find(|problem| problem.field == field);
        problem.map(|problem| said(&problem.words))
    }
}

/// That it is done, in these words.
pub(crate) fn done(words: String) -> View {
    let sign = icon("check");
    view! { span(class="ok-text") { (sign) (words) } }
}

/// "Saved", or why not, in a place of its own.
pub(crate) fn told(told: Signal<Told>) -> View {
    let told = live(move || match told.get_clone() {
        Told::Nothing | Told::Refused(_) => View::new(),
        Told::Saved => done(msg("options_saved")),
        Told::Done(words) => done(words),
        Told::Failed(title, remedy) => {
            let words = format!("{}. {}", said(&title), said(&remedy));
            let sign = icon("alert");
            view! { span(class="danger-text") { (sign) span { (words) } } }
        }
    });
    view! {
        span(role="status", class="meta") {
            (told)
        }
    }
}

/// The heading of a group, with what became of the last change in it.
pub(crate) fn heading(id: &'static str, words: String, of: Signal<Told>) -> View {
    let told = told(of);
    view! {
        div(class="row wrap", style="align-items: baseline") {
            h3(id=id) { (words) }
            (told)
        }
    }
}
