//! What came of *Save* and of *Test connection*, in one place.

use super::profile_form::Form;
use crate::commands::commands;
use crate::icon::icon;
use crate::live::live;
use crate::words::{counted, msg, msg_with, said};
use gloss::agent::Failure;
use sycamore::prelude::*;

/// It.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Result {
    /// Nothing yet.
    None,
    /// The profile is kept.
    Saved,
    /// Chrome was told not to let Gloss speak to this host.
    NotAllowed(String, Kept),
    /// The server answers.
    Works {
        /// How many models it has.
        models: usize,
        /// The profile's, which is one of them; empty if none is chosen yet.
        model: String,
    },
    /// It does not work.
    Failed(Failure),
}

/// Whether the profile is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// It is.
    Yes,
    /// It was only tried.
    No,
}

/// The result, in a live region.
pub(super) fn results(form: &Form) -> View {
    let result = form.result;
    let result = live(move || match result.get_clone() {
        Result::None => View::new(),
        Result::Saved => works(msg("options_saved")),
        Result::NotAllowed(host, Kept::Yes) => fails(
            "lock",
            msg_with("options_not_allowed_title", &[&host]),
            msg("options_not_allowed_remedy"),
            View::new(),
        ),
        Result::NotAllowed(host, Kept::No) => fails(
            "lock",
            msg_with("options_untested_title", &[&host]),
            msg("options_untested_remedy"),
            View::new(),
        ),
        Result::Works { models, model } => works(found(models, &model)),
        Result::Failed(failure) => failed(&failure),
    });
    view! {
        div(class="field", role="status") {
            (result)
        }
    }
}

pub(super) fn works(words: String) -> View {
    let sign = icon("check");
    view! {
        span(class="cap") {}
        p(class="ok-text", style="padding-top:.3125rem") { (sign) span { (words) } }
    }
}

/// "12 models, gpt-4.1-mini among them".
fn found(models: usize, model: &str) -> String {
    let count = counted(["options_models_one", "options_models_many"], models as u64);
    if model.is_empty() {
        msg_with("options_works_so_far", &[&count])
    } else {
        msg_with("options_works", &[&count, model])
    }
}

fn failed(failure: &Failure) -> View {
    let shape = if failure.code == "model_bad_key" {
        "key"
    } else {
        "alert"
    };
    let mend = commands(&failure.commands);
    fails(shape, said(&failure.title), said(&failure.remedy), mend)
}

pub(super) fn fails(shape: &'static str, title: String, remedy: String, mend: View) -> View {
    let sign = icon(shape);
    view! {
        span(class="cap") {}
        div(class="note danger") {
            h4(class="danger-text") { (sign) (title) }
            p { (remedy) }
            (mend)
        }
    }
}
