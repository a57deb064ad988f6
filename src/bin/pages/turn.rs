//! A turn: what was asked, and what came of it.

use crate::answer::{acts, answer};
use crate::growing::growing;
use crate::icon::icon;
use crate::note::note;
use crate::seam::seam;
use crate::status::phase;
use crate::surface::{Surface, is_over};
use crate::words::{msg, said};
use gloss::agent::{Bound, Goal, Phase, Status, Voice};
use gloss::app::surface::{Beside, Seam, Turn};
use gloss::host::RunId;
use sycamore::prelude::*;

/// The turn of this run.
pub(crate) fn turn(run: RunId) -> View {
    let surface = Surface::here();
    let goal = surface.of(&run, |turn| turn.goal.clone());
    let busy = surface.of(&run, |turn| !is_over(turn.status));
    let given = surface.of(&run, |turn| turn.answer.is_some());
    let voice = surface.of(&run, |turn| turn.model.voice);
    let parts = (
        seams(&run),
        waiting(&run),
        remarks(&run),
        moved_on(&run),
        acts(&run),
        ending(&run),
    );
    let (seams, waiting, remarks, moved_on, acts, ending) = parts;
    let you_name = msg("you");
    let app_name_name = msg("app_name");
    view! {
        article(class="turn", aria-label=you_name, data-you="") {
            (goal.get_clone().map(asked))
        }
        article(
            class="turn prose",
            aria-label=app_name_name,
            aria-busy=move || (busy.get() == Some(true)).then(|| "true".to_owned()),
        ) {
            (seams)
            (if given.get() == Some(true) { answer(&run) } else { growing(&run, voice.get().unwrap_or(Voice::Model)) })
            (waiting)
            (remarks)
            (moved_on)
            (acts)
            (ending)
        }
    }
}

fn asked(goal: Goal) -> View {
    match goal {
        Goal::Summarize => view! { p(class="you") { (msg("summarize_page")) } },
        Goal::Ask { question } => view! { p(class="you") { (question) } },
        Goal::Explain { selection } => view! {
            div(class="you") {
                p(class="label") { (msg("explain")) }
                blockquote { (selection) }
            }
        },
    }
}

/// Where the turn was cut, but for the end of a stopped one, which stands below.
fn seams(run: &RunId) -> View {
    let seams = Surface::here().of(run, |turn| {
        let mut seams = turn.seams.clone();
        if halted_at(turn).is_some() {
            seams.pop();
        }
        seams
    });
    view! {
        (seams.get_clone().unwrap_or_default().into_iter().map(seam).collect::<Vec<_>>())
    }
}

fn halted_at(turn: &Turn) -> Option<u64> {
    match (turn.status, turn.seams.last()) {
        (Status::Terminated(Bound::Stopped), Some(Seam::Stopped { at_ms })) => Some(*at_ms),
        _ => None,
    }
}

/// The words of what is going on, in the place of the result.
fn waiting(run: &RunId) -> View {
    let reading = Surface::here().of(run, |turn| {
        let nothing = turn.growing.is_empty() && turn.answer.is_none();
        nothing && turn.status == Status::Running && turn.phase == Phase::Reading
    });
    view! {
        (if reading.get() == Some(true) {
            view! { p(class="meta late") { (msg(phase(Phase::Reading))) } }
        } else {
            View::new()
        })
    }
}

fn remarks(run: &RunId) -> View {
    let remarks = Surface::here().of(run, |turn| turn.remarks.clone());
    view! {
        (remarks
            .get_clone()
            .unwrap_or_default()
            .iter()
            .map(|remark| {
                let words = said(remark);
                view! { p(class="meta") { (words) } }
            })
            .collect::<Vec<_>>())
    }
}

/// Which page an answer is about, once the tab shows another document.
fn moved_on(run: &RunId) -> View {
    let surface = Surface::here();
    let beside = surface.beside();
    let read = surface.of(run, |turn| turn.page.clone());
    let words = move || match (read.get_clone().flatten(), beside.get_clone()) {
        (Some(read), Beside::Page { page }) if read.document != page.document => {
            Some(crate::words::msg_with("moved_on", &[&read.title]))
        }
        _ => None,
    };
    view! { (words().map(|words| view! { p(class="meta") { (words) } })) }
}

/// A failure with its remedy, or a stop with its way on.
fn ending(run: &RunId) -> View {
    let surface = Surface::here();
    let failed = surface.of(run, |turn| {
        let failed = turn.status == Status::Failed;
        turn.failure
            .clone()
            .filter(|_| failed)
            .map(|failure| (failure, turn.goal.clone()))
    });
    let halted = surface.of(run, halted_at);
    let step = surface.of(run, |turn| turn.step);
    let run = run.clone();
    view! {
        (failed.get_clone().flatten().map(|(failure, goal)| note(&failure, goal)))
        (halted.get().flatten().map(|at_ms| {
            stopped(run.clone(), at_ms, step.get().unwrap_or_default())
        }))
    }
}

fn stopped(run: RunId, at_ms: u64, step: u8) -> View {
    let surface = Surface::here();
    let words = match step {
        0 => msg("continue_hint"),
        _ => crate::words::msg_with("continue_hint_step", &[&step.to_string()]),
    };
    let play_icon = icon("play");
    let continue_word = msg("continue");
    view! {
        (seam(Seam::Stopped { at_ms }))
        div(class="row wrap") {
            button(class="btn", on:click=move |_| surface.go_on(run.clone())) {
                (play_icon)
                (continue_word)
            }
        }
        p(class="meta") { (words) }
    }
}
