//! "Remembered: … Undo" and "Not remembered", under the answer (`ui/README.md`): it stays as
//! long as its turn.

use crate::live::{handler, live};
use crate::surface::Surface;
use crate::words::{msg, msg_with, said};
use gloss::app::surface::Command;
use gloss::durable::RunId;
use gloss::memory::{FactId, Loss, plainly};
use gloss::phrase::Said;
use gloss::tools::Minded;
use sycamore::prelude::*;

/// What this run was to remember, if anything.
pub(crate) fn minded(run: &RunId) -> View {
    let surface = Surface::here();
    let minded = surface.of(run, |turn| {
        let calls = turn.steps.iter().flat_map(|step| &step.calls);
        let minded = calls.flat_map(|call| call.minded.iter().cloned());
        minded.collect::<Vec<Minded>>()
    });
    live(move || {
        let all = minded.get_clone().unwrap_or_default();
        if all.is_empty() {
            return View::new();
        }
        let name = msg("tool_group_memory");
        let lines: Vec<View> = all.iter().map(line).collect();
        view! { ul(class="minded", aria-label=name) { (lines) } }
    })
}

fn line(minded: &Minded) -> View {
    match minded {
        Minded::Remembered {
            id,
            content,
            replaced,
        } => remembered(FactId(id.clone()), content, replaced.as_deref()),
        Minded::Refused { what, why } => {
            let not = msg("memory_not_remembered");
            let what = match what {
                Said::Phrase(phrase) => said(phrase),
                Said::Words(words) => plainly(words),
            };
            let why = said(why);
            view! {
                li { p(class="grow") { b { (not) } " " (what) " " span(class="meta") { (why) } } }
            }
        }
    }
}

/// The word for what became of a fact that is not known any more.
fn gone(why: Option<Loss>) -> &'static str {
    match why {
        Some(Loss::MadeRoom) => "memory_made_room",
        Some(Loss::Expired) => "memory_expired",
        Some(Loss::Replaced) => "memory_replaced",
        None => "memory_forgotten",
    }
}

fn remembered(id: FactId, content: &str, replaced: Option<&str>) -> View {
    let surface = Surface::here();
    let shown = surface.shown;
    // `None`: nobody has looked yet.
    let of = id.clone();
    let known = create_selector(move || {
        shown.with(|shown| shown.known.as_ref().map(|known| known.contains(&of)))
    });
    let of = id.clone();
    let title = live(move || {
        let words = match known.get() {
            Some(false) => msg(gone(shown.with(|shown| shown.lost.get(&of).copied()))),
            Some(true) | None => msg("memory_remembered"),
        };
        view! { b { (words) } }
    });
    let content = plainly(content);
    let replaces = replaced.map(|older| {
        let words = msg_with("memory_replaces", &[&plainly(older)]);
        view! { " " span(class="meta") { (words) } }
    });
    let name = msg_with("memory_undo_named", &[&content]);
    let undo = live(move || {
        if known.get() != Some(true) {
            return View::new();
        }
        let (surface, fact, undo, name) = (
            surface.clone(),
            id.clone(),
            msg("memory_undo"),
            name.clone(),
        );
        view! {
            button(
                r#type="button",
                class="btn quiet tiny",
                aria-label=name,
                on:click=handler(move |_| {
                    let fact = fact.clone();
                    surface.connection().send(Command::Unremember { fact });
                }),
            ) { (undo) }
        }
    });
    view! {
        li { p(class="grow") { (title) " " (content) (replaces) } (undo) }
    }
}
