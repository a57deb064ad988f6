//! The end of a turn without an answer: a failure with its remedy, or a stopped run that can
//! continue.

use crate::answer::continue_button;
use crate::copy::copy;
use crate::note::note;
use crate::notice_line::seam;
use crate::prelude::*;
use crate::surface::Surface;
use crate::user_message::edit_button;
use gloss::agent::Status;
use gloss::app::surface::Notice;
use gloss::durable::RunId;
use gloss::markdown::{write, write_text};
use gloss::ui::turns::{halt, halted_at};

/// The end of the turn of this run, below its text.
pub(crate) fn ending(run: &RunId) -> View {
    let surface = Surface::from_context();
    let failed = surface.of(run, |turn| {
        turn.failure
            .clone()
            .filter(|_| turn.status == Status::Failed)
    });
    let halted = surface.of(run, halted_at);
    let paused = surface.of(run, |turn| {
        halt(turn).filter(|_| turn.status == Status::Paused)
    });
    let (of_failed, of_halted) = (run.clone(), run.clone());
    let failed = live(move || {
        // A failed turn may have an incomplete reply, which can be continued.
        let failure = failed.get_clone().flatten()?;
        Some(fragment((
            note(&failure, &of_failed),
            continue_button(&of_failed),
        )))
    });
    let halted = live(move || {
        halted
            .get()
            .flatten()
            .map(|at_ms| stopped(&of_halted, at_ms))
    });
    let paused = live(move || paused.get_clone().flatten().map(|paused| seam(&paused)));
    fragment((failed, halted, paused))
}

fn stopped(run: &RunId, at_ms: u64) -> View {
    let surface = Surface::from_context();
    let step = surface.of(run, |turn| turn.step);
    let (last, run) = (surface.is_last(run), run.clone());
    let below = live_if(last, move || {
        let hint = live(move || match step.get().unwrap_or_default() {
            0 => meta(msg("continue_hint")),
            step => meta(msg_with("continue_hint_step", &[&step.to_string()])),
        });
        fragment((ways(&surface, &run), hint))
    });
    fragment((seam(&Notice::Stopped { at_ms }), below))
}

fn ways(surface: &Surface, run: &RunId) -> Tag {
    let written = surface.of(run, |turn| {
        write(&turn.growing, &|passage| {
            write_text(&format!("[{passage}]"))
        })
    });
    let copy = live(move || {
        let written = written.get_clone().unwrap_or_default();
        (!written.is_empty()).then(|| copy(msg("copy"), "icon-btn", move || written.clone()))
    });
    let (surface, run_id) = (surface.clone(), run.clone());
    let go_on = go_on_button(move || surface.go_on(run_id.clone()));
    tag(
        "div.row.wrap",
        (go_on, edit_button(run), tag("span.grow", ()), copy),
    )
}
