//! An error message: the cause, the remedy, and buttons that help.

use crate::bar::open_options;
use crate::browser::{reload, time_of_day};
use crate::commands::commands;
use crate::prelude::*;
use crate::surface::Surface;
use gloss::agent::Failure;
use gloss::durable::RunId;

/// The codes of failures that the user can fix in Options.
const OF_SETTINGS: [&str; 10] = [
    "capture_closed",
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

/// The reason why a run failed. *Try again* replaces the run by a new one with the same goal. If a
/// connected model failed, the note also offers the on-device model.
pub(crate) fn note(failure: &Failure, run: &RunId) -> View {
    let surface = Surface::from_context();
    let goal = surface.of(run, |turn| turn.goal.clone());
    let connected = surface.of(run, |turn| !turn.model.profile.is_empty());
    let (retrying, retried) = (surface.clone(), run.clone());
    let again = failure.recoverable.then(|| {
        View::from(button("primary", msg("try_again"), move || {
            if let Some(goal) = goal.get_clone_untracked() {
                retrying.start_over(goal, Some(retried.clone()));
            }
        }))
    });
    let of_settings = OF_SETTINGS.contains(&failure.code.as_str());
    let settings = of_settings.then(|| button("", msg("open_settings"), open_options));
    let of_whom = surface.of(run, |turn| {
        let at_ms = turn.ended_at_ms.unwrap_or(turn.started_at_ms);
        let named = [&turn.model.provider, &turn.model.model].into_iter();
        let named = named.filter(|name| !name.is_empty()).cloned();
        named
            .chain([time_of_day(at_ms)])
            .collect::<Vec<_>>()
            .join(" · ")
    });
    let run = run.clone();
    let device = live_if(
        move || connected.get() == Some(true),
        move || {
            let (surface, run) = (surface.clone(), run.clone());
            View::from(button("", msg("answer_on_device"), move || {
                if let Some(goal) = goal.get_clone_untracked() {
                    surface.start_on_device(goal, run.clone());
                }
            }))
        },
    );
    let kept =
        live_text(move || msg_with("failed_kept", &[&of_whom.get_clone().unwrap_or_default()]));
    fragment((danger(failure, (again, settings, device)), meta(kept)))
}

/// The note for a worker that does not answer, or that refused a request.
pub(crate) fn trouble() -> View {
    let surface = Surface::from_context();
    let trouble = surface.trouble;
    live(move || {
        trouble.get_clone().map(|failure| {
            let (surface, outdated) = (surface.clone(), failure.code == "surface_outdated");
            let again = failure.recoverable.then(|| {
                View::from(button("primary", msg("try_again"), move || {
                    if outdated {
                        reload();
                    } else {
                        surface.connection().retry();
                        surface.focus_message();
                    }
                }))
            });
            View::from(tag("div.turn", danger(&failure, again)))
        })
    })
}

fn danger(failure: &Failure, ways: impl IntoView) -> View {
    alert(
        "danger",
        failure,
        (commands(&failure.commands), tag("div.row.wrap", ways)),
    )
}
