//! The drawer over the log: what was thought, done and observed, step by step,
//! live while it runs.

use crate::float::is;
use crate::icon::icon;
use crate::keyed::keyed;
use crate::live::{handler, live};
use crate::status::lasted;
use crate::step::step;
use crate::surface::{Surface, focus};
use crate::words::{grouped, msg, msg_with, span as span_of};
use gloss::agent::UsageSum;
use gloss::app::surface::{Command, StepShown, Turn};
use gloss::durable::RunId;
use gloss::model::facts::money;
use sycamore::prelude::*;
use wasm_bindgen::JsCast;

/// The drawer, if it is open.
pub(crate) fn trajectory() -> View {
    let surface = Surface::here();
    let drawer = surface.drawer;
    live(move || drawer.get_clone().map(|run| open(&surface, &run)))
}

/// The button that opens it for a run, and closes it.
pub(crate) fn toggle(run: RunId) -> View {
    let surface = Surface::here();
    let drawer = surface.drawer;
    let word = msg("trajectory");
    let key = run.0.clone();
    let ours = {
        let run = run.clone();
        create_selector(move || drawer.with(|open| open.as_ref() == Some(&run)))
    };
    view! {
        button(
            r#type="button",
            class="btn quiet tiny",
            data-run=key,
            aria-expanded=move || is(ours.get()),
            on:click=handler(move |_| {
                let open = (!ours.get_untracked()).then(|| run.clone());
                surface.leave_drawer();
                drawer.set(open);
            }),
        ) { (word) }
    }
}

/// Closes it; the focus goes back to what opened it.
pub(crate) fn close(surface: &Surface) {
    let run = surface.drawer.get_clone_untracked();
    surface.leave_drawer();
    let opener = sycamore::web::document()
        .query_selector_all("[data-run]")
        .ok()
        .and_then(|all| {
            (0..all.length())
                .filter_map(|at| all.item(at)?.dyn_into::<web_sys::HtmlElement>().ok())
                .find(|button| {
                    button.get_attribute("data-run") == run.as_ref().map(|run| run.0.clone())
                })
        });
    match opener {
        // It can be focused: it was pressed.
        Some(opener) => {
            let _ = opener.focus();
        }
        None => surface.focus_message(),
    }
}

fn open(surface: &Surface, run: &RunId) -> View {
    let steps = surface.of(run, |turn| {
        turn.steps
            .iter()
            .map(|step| step.number)
            .collect::<Vec<_>>()
    });
    let steps = create_memo(move || steps.get_clone().unwrap_or_default());
    let nothing = create_selector(move || steps.with(Vec::is_empty));
    let (surface, run) = (surface.clone(), run.clone());
    let (name, title) = (msg("trajectory"), msg("trajectory"));
    let (close_name, close_tip, close_icon) = (
        msg("close_trajectory"),
        msg("close_trajectory"),
        icon("close"),
    );
    let steps_name = msg("steps");
    let heading = create_node_ref();
    inspect(&surface, &run);
    let json = json(&surface, &run);
    on_mount(move || focus(&heading));
    let facts = facts(&surface, &run);
    let keys = surface.clone();
    let rows = keyed(
        move || steps.get_clone(),
        u8::to_string,
        move |number| step(&run, number),
    );
    let nothing = live(move || {
        if nothing.get() {
            let words = msg("trajectory_empty");
            view! { p(class="meta") { (words) } }
        } else {
            View::new()
        }
    });
    view! {
        section(
            class="drawer",
            aria-label=name,
            on:keydown=handler(move |event: web_sys::KeyboardEvent| {
                if event.key() == "Escape" {
                    event.prevent_default();
                    close(&keys);
                }
            }),
        ) {
            header {
                div(class="row") {
                    h2(class="grow", tabindex="-1", r#ref=heading) { (title) }
                    (json)
                    button(
                        r#type="button",
                        class="icon-btn tiny",
                        aria-label=close_name,
                        title=close_tip,
                        on:click=handler(move |_| close(&surface)),
                    ) { (close_icon) }
                }
                (facts)
            }
            div(class="scroll", tabindex="0", role="group", aria-label=steps_name) {
                (nothing)
                (rows)
            }
        }
    }
}

/// Saves the run as a file.
fn json(surface: &Surface, run: &RunId) -> View {
    let (surface, run) = (surface.clone(), run.clone());
    let (sign, word) = (icon("export"), msg("json"));
    view! {
        button(
            r#type="button",
            class="btn quiet tiny",
            on:click=handler(move |_| {
                surface.connection().ask(&Command::Export { run: run.clone() });
            }),
        ) { (sign) (word) }
    }
}

/// Asks for what only the journal knows, anew when the run has come further.
fn inspect(surface: &Surface, run: &RunId) {
    let come = surface.of(run, |turn| (turn.status, turn.step, turn.steps.len()));
    let (surface, run) = (surface.clone(), run.clone());
    create_effect(move || {
        if come.get().is_some() {
            surface
                .connection()
                .ask(&Command::Inspect { run: run.clone() });
        }
    });
}

/// Steps and the least that would have done, efficiency, errors, time, tokens.
fn facts(surface: &Surface, run: &RunId) -> View {
    let (inspected, of) = (surface.inspected, run.clone());
    let metrics = create_selector(move || {
        inspected.with(|known| {
            let (run, trajectory) = known.as_ref()?;
            (*run == of).then(|| trajectory.metrics.clone())
        })
    });
    let facts = surface.of(run, Turn::clone);
    let facts = move || {
        facts.get_clone().map(|turn| {
            let errors: usize = turn.steps.iter().map(errors_of).sum();
            let UsageSum { tokens, cost } = turn.spent();
            let metrics = metrics.get_clone();
            let (best, efficiency, tools) = metrics.map_or_else(Default::default, |metrics| {
                (metrics.optimal_steps, metrics.efficiency, metrics.tools)
            });
            let tools = tools.into_iter().map(|(tool, tokens)| {
                let brought = msg_with("tokens", &[&grouped(tokens.into())]);
                (tool, brought)
            });
            let steps = turn.step.to_string();
            [
                Some((
                    msg("steps"),
                    match best {
                        Some(best) => msg_with("steps_best", &[&steps, &best.to_string()]),
                        None => steps,
                    },
                )),
                efficiency.map(|share| (msg("efficiency"), format!("{:.0}\u{a0}%", share * 100.0))),
                (errors > 0).then(|| (msg("errors"), errors.to_string())),
                time_of(&turn).map(|ms| (msg("time"), span_of(ms))),
                (tokens > 0).then(|| (msg("tokens_name"), grouped(tokens.into()))),
                (tokens > 0 && cost != Some(0)).then(|| {
                    let cost = cost.map_or_else(|| msg("cost_unknown"), money);
                    (msg("cost_name"), cost)
                }),
            ]
            .into_iter()
            .flatten()
            .chain(tools)
            .collect::<Vec<_>>()
        })
    };
    let facts = live(move || {
        facts()
            .unwrap_or_default()
            .into_iter()
            .map(|(name, value)| view! { div { dt { (name) } dd { (value) } } })
            .collect::<Vec<_>>()
    });
    view! {
        dl(class="facts") {
            (facts)
        }
    }
}

fn errors_of(step: &StepShown) -> usize {
    let failed = step.calls.iter().filter(|call| call.state.is_error());
    failed.count() + step.failures.len()
}

fn time_of(turn: &Turn) -> Option<u64> {
    lasted(turn)
}
