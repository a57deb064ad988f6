//! What came of *Save* and of *Test connection*, in one place.

use super::profile_form::Form;
use crate::icon::icon;
use crate::words::{msg, msg_with, said};
use gloss::agent::Failure;
use sycamore::prelude::*;

/// It.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Result {
    /// Nothing yet.
    None,
    /// The profile is kept.
    Saved,
    /// It is kept, and Chrome was told not to let Gloss speak to this host.
    NotAllowed(String),
    /// It does not work.
    Failed(Failure),
}

/// The result, in a live region.
pub(super) fn results(form: &Form) -> View {
    let result = form.result;
    view! {
        div(class="field", role="status") {
            (match result.get_clone() {
                Result::None => View::new(),
                Result::Saved => works(msg("options_saved")),
                Result::NotAllowed(host) => fails(
                    "lock",
                    msg_with("options_not_allowed_title", &[&host]),
                    msg("options_not_allowed_remedy"),
                ),
                Result::Failed(failure) => fails("alert", said(&failure.title), said(&failure.remedy)),
            })
        }
    }
}

fn works(words: String) -> View {
    view! {
        span(class="cap") {}
        p(class="ok-text", style="padding-top:.3125rem") { (icon("check")) span { (words) } }
    }
}

fn fails(shape: &'static str, title: String, remedy: String) -> View {
    view! {
        span(class="cap") {}
        div(class="note danger") {
            h4(class="danger-text") { (icon(shape)) (title) }
            p { (remedy) }
        }
    }
}
