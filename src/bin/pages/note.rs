//! An error: who refused what, what to do, and a way on.

use crate::icon::icon;
use crate::surface::Surface;
use crate::words::{msg, said};
use gloss::agent::{Failure, Goal};
use sycamore::prelude::*;

/// Why a run failed. Trying again starts the same goal anew.
pub(crate) fn note(failure: &Failure, goal: Goal) -> View {
    let surface = Surface::here();
    danger(failure, move || surface.start(goal.clone()))
}

/// Why the worker does not answer, or what it refused.
pub(crate) fn trouble() -> View {
    let surface = Surface::here();
    let trouble = surface.trouble;
    view! {
        (trouble.get_clone().map(|failure| {
            let surface = surface.clone();
            let outdated = failure.code == "surface_outdated";
            let note = danger(&failure, move || {
                if outdated {
                    reload();
                } else {
                    surface.connection().retry();
                    surface.focus_message();
                }
            });
            view! { div(class="turn") { (note) } }
        }))
    }
}

fn danger(failure: &Failure, again: impl Fn() + 'static) -> View {
    let (title, remedy) = (said(&failure.title), said(&failure.remedy));
    let button = failure.recoverable.then(|| {
        let try_again_word = msg("try_again");
        view! {
            div(class="row wrap") {
                button(class="btn primary", on:click=move |_| again()) { (try_again_word) }
            }
        }
    });
    let alert_icon = icon("alert");
    view! {
        div(class="note danger", role="alert") {
            h2 { (alert_icon) (title) }
            p { (remedy) }
            (button)
        }
    }
}

fn reload() {
    // Fails only in a page that is being closed.
    let _ = sycamore::web::window().location().reload();
}
