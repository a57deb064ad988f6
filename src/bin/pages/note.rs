//! An error: who refused what, what to do, and ways on.

use crate::bar::open_options;
use crate::browser::time_of_day;
use crate::commands::commands;
use crate::icon::icon;
use crate::live::{handler, live, live_text};
use crate::surface::Surface;
use crate::words::{msg, msg_with, said};
use gloss::agent::Failure;
use gloss::durable::RunId;
use sycamore::prelude::*;

/// Failures that Options mends.
const OF_SETTINGS: [&str; 9] = [
    "model_bad_address",
    "model_bad_key",
    "model_download_needed",
    "model_downloading",
    "model_key_unreadable",
    "model_keys_locked",
    "model_missing",
    "model_redirected",
    "model_wrong_address",
];

/// Why a run failed. Trying again starts the same goal in its place; where a
/// connected model failed, the device is another way on.
pub(crate) fn note(failure: &Failure, run: &RunId) -> View {
    let surface = Surface::here();
    let goal = surface.of(run, |turn| turn.goal.clone());
    let connected = surface.of(run, |turn| !turn.model.profile.is_empty());
    let again = failure.recoverable.then(|| {
        let (surface, run) = (surface.clone(), run.clone());
        button("try_again", Weight::Primary, move || {
            if let Some(goal) = goal.get_clone_untracked() {
                surface.start_over(goal, Some(run.clone()));
            }
        })
    });
    let of_settings = OF_SETTINGS.contains(&failure.code.as_str());
    let settings = of_settings.then(|| button("open_settings", Weight::Plain, open_options));
    let of_whom = surface.of(run, |turn| {
        let (model, at_ms) = (&turn.model, turn.ended_at_ms.unwrap_or(turn.started_at_ms));
        let named = [&model.provider, &model.model]
            .into_iter()
            .filter(|name| !name.is_empty());
        let parts: Vec<String> = named.cloned().chain([time_of_day(at_ms)]).collect();
        parts.join(" · ")
    });
    let run = run.clone();
    let device = move || {
        let (surface, run) = (surface.clone(), run.clone());
        button("answer_on_device", Weight::Plain, move || {
            if let Some(goal) = goal.get_clone_untracked() {
                surface.start_on_device(goal, run.clone());
            }
        })
    };
    let ways = {
        let device = live(move || {
            if connected.get() == Some(true) {
                device()
            } else {
                View::new()
            }
        });
        view! {
            (again)
            (settings)
            (device)
        }
    };
    let note = danger(failure, ways);
    let kept =
        live_text(move || msg_with("failed_kept", &[&of_whom.get_clone().unwrap_or_default()]));
    view! {
        (note)
        p(class="meta") { (kept) }
    }
}

/// Why the worker does not answer, or what it refused.
pub(crate) fn trouble() -> View {
    let surface = Surface::here();
    let trouble = surface.trouble;
    live(move || {
        trouble.get_clone().map(|failure| {
            let surface = surface.clone();
            let outdated = failure.code == "surface_outdated";
            let again = failure.recoverable.then(|| {
                button("try_again", Weight::Primary, move || {
                    if outdated {
                        reload();
                    } else {
                        surface.connection().retry();
                        surface.focus_message();
                    }
                })
            });
            let note = danger(&failure, again.into());
            view! { div(class="turn") { (note) } }
        })
    })
}

fn danger(failure: &Failure, ways: View) -> View {
    let (title, remedy) = (said(&failure.title), said(&failure.remedy));
    let alert_icon = icon("alert");
    let commands = commands(&failure.commands);
    view! {
        div(class="note danger", role="alert") {
            h2 { (alert_icon) (title) }
            p { (remedy) }
            (commands)
            div(class="row wrap") { (ways) }
        }
    }
}

/// One primary button, if there is one, leads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Weight {
    Primary,
    Plain,
}

fn button(key: &str, weight: Weight, pressed: impl Fn() + 'static) -> View {
    let word = msg(key);
    let class = match weight {
        Weight::Primary => "btn primary",
        Weight::Plain => "btn",
    };
    view! { button(r#type="button", class=class, on:click=handler(move |_| pressed())) { (word) } }
}

fn reload() {
    // Fails only in a page that is being closed.
    let _ = sycamore::web::window().location().reload();
}
