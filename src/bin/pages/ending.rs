//! How a turn ended otherwise than with an answer: a failure with its remedy,
//! or a stop with its ways on.

use crate::answer::go_on;
use crate::asked::{Shape, edit};
use crate::icon::icon;
use crate::live::{handler, live};
use crate::note::note;
use crate::seam::seam;
use crate::surface::Surface;
use crate::words::{msg, msg_with};
use gloss::agent::{Bound, Status};
use gloss::app::surface::{Seam, Turn};
use gloss::host::RunId;
use gloss::ui::markdown_text::plain;
use sycamore::prelude::*;

/// When the person stopped it, if that is how it stands.
pub(crate) fn halted_at(turn: &Turn) -> Option<u64> {
    match halt(turn) {
        Some(Seam::Stopped { at_ms }) => Some(at_ms),
        _ => None,
    }
}

/// The seam of a stop or a pause, if the turn stands still by it.
pub(crate) fn halt(turn: &Turn) -> Option<Seam> {
    let halts = matches!(
        (turn.status, turn.seams.last()),
        (
            Status::Terminated(Bound::Stopped),
            Some(Seam::Stopped { .. })
        ) | (Status::Paused, Some(Seam::Paused { .. }))
    );
    turn.seams.last().filter(|_| halts).cloned()
}

/// What stands below the turn's words.
pub(crate) fn ending(run: &RunId) -> View {
    let surface = Surface::here();
    let failed = surface.of(run, |turn| {
        let failed = turn.status == Status::Failed;
        turn.failure.clone().filter(|_| failed)
    });
    let halted = surface.of(run, halted_at);
    let held = surface.of(run, |turn| {
        halt(turn).filter(|_| turn.status == Status::Paused)
    });
    let (of_failed, of_halted) = (run.clone(), run.clone());
    let failed = live(move || {
        failed.get_clone().flatten().map(|failure| {
            // What was cut off without an answer can be gone on with as well.
            let (note, go_on) = (note(&failure, &of_failed), go_on(&of_failed));
            view! { (note) (go_on) }
        })
    });
    let halted = live(move || {
        halted
            .get()
            .flatten()
            .map(|at_ms| stopped(&of_halted, at_ms))
    });
    let held = live(move || held.get_clone().flatten().map(|held| seam(&held)));
    view! {
        (failed)
        (halted)
        (held)
    }
}

fn stopped(run: &RunId, at_ms: u64) -> View {
    let surface = Surface::here();
    let step = surface.of(run, |turn| turn.step);
    let last = surface.is_last(run);
    let ways = {
        let (surface, run) = (surface.clone(), run.clone());
        move || ways(&surface, &run)
    };
    let seam = seam(&Seam::Stopped { at_ms });
    let ways = live(move || if last.get() { ways() } else { View::new() });
    let hint = live(move || {
        if last.get() {
            let words = match step.get().unwrap_or_default() {
                0 => msg("continue_hint"),
                step => msg_with("continue_hint_step", &[&step.to_string()]),
            };
            view! { p(class="meta") { (words) } }
        } else {
            View::new()
        }
    });
    view! {
        (seam)
        (ways)
        (hint)
    }
}

fn ways(surface: &Surface, run: &RunId) -> View {
    let written = surface.of(run, |turn| plain(&turn.growing));
    let edit = edit(run, Shape::Label);
    let (go_on, run) = (surface.clone(), run.clone());
    let (play_icon, continue_word) = (icon("play"), msg("continue"));
    let copy = live(move || {
        let written = written.get_clone().unwrap_or_default();
        if written.is_empty() {
            View::new()
        } else {
            crate::copy::copy("copy", "icon-btn", move || written.clone())
        }
    });
    view! {
        div(class="row wrap") {
            button(class="btn", on:click=handler(move |_| go_on.go_on(run.clone()))) {
                (play_icon)
                (continue_word)
            }
            (edit)
            span(class="grow") {}
            (copy)
        }
    }
}
