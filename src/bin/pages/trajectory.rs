//! The drawer over the log. It shows the thoughts, actions and observations of a run, step by
//! step, and is updated while the run is running.

use crate::prelude::*;
use crate::step::step;
use crate::surface::{Surface, focus};
use crate::words::span as span_of;
use gloss::agent::UsageSum;
use gloss::app::surface::{Command, StepShown, Turn};
use gloss::durable::RunId;
use gloss::model::facts::money;
use gloss::ui::turns::duration;
use wasm_bindgen::JsCast;

pub(crate) fn trajectory() -> View {
    let surface = Surface::from_context();
    let drawer = surface.drawer;
    live(move || drawer.get_clone().map(|run| open(&surface, &run)))
}

/// The button that opens and closes the drawer for a run.
pub(crate) fn toggle(run: RunId) -> Tag {
    let surface = Surface::from_context();
    let drawer = surface.drawer;
    let (key, of) = (run.0.clone(), run.clone());
    let ours = create_selector(move || drawer.with(|open| open.as_ref() == Some(&of)));
    let toggle = button("quiet tiny", msg("trajectory"), move || {
        let open = (!ours.get_untracked()).then(|| run.clone());
        surface.leave_drawer();
        drawer.set(open);
    });
    toggle
        .attr("data-run", key)
        .attr("aria-expanded", move || bool_text(ours.get()))
}

/// Closes the drawer, and focuses the button that opened it.
pub(crate) fn close(surface: &Surface) {
    let run = surface.drawer.get_clone_untracked();
    surface.leave_drawer();
    let buttons = sycamore::web::document()
        .query_selector_all("[data-run]")
        .ok();
    let opener = buttons.and_then(|all| {
        let mut buttons = (0..all.length())
            .filter_map(|at| all.item(at)?.dyn_into::<web_sys::HtmlElement>().ok());
        buttons.find(|it| it.get_attribute("data-run") == run.as_ref().map(|run| run.0.clone()))
    });
    // If the button is no longer on the page, the message field gets the focus.
    if opener.is_none_or(|opener| opener.focus().is_err()) {
        surface.focus_message();
    }
}

fn open(surface: &Surface, run: &RunId) -> Tag {
    let steps = surface.of(run, |turn| {
        turn.steps
            .iter()
            .map(|step| step.number)
            .collect::<Vec<_>>()
    });
    let steps = create_memo(move || steps.get_clone().unwrap_or_default());
    let empty = create_selector(move || steps.with(Vec::is_empty));
    let heading = create_node_ref();
    on_mount(move || focus(&heading));
    inspect(surface, run);
    let [exporting, closing, keys] = [(); 3].map(|()| surface.clone());
    let (exported, shown) = (run.clone(), run.clone());
    let title = tag("h2.grow", msg("trajectory"))
        .attr("tabindex", "-1")
        .node(heading);
    let json = button("quiet tiny", (icon("export"), msg("json")), move || {
        exporting.connection().ask(&Command::Export {
            run: exported.clone(),
        });
    });
    let shut = icon_button("tiny", "close", msg("close_trajectory"), move || {
        close(&closing);
    });
    let header = tag(
        "header",
        (tag("div.row", (title, json, shut)), facts(surface, run)),
    );
    let nothing = live_if(empty, move || meta(msg("trajectory_empty")));
    let rows = keyed(
        move || steps.get_clone(),
        u8::to_string,
        move |number| step(&shown, number),
    );
    let body = tag("div.scroll", (nothing, rows))
        .attr("tabindex", "0")
        .role("group");
    let drawer = tag("section.drawer", (header, body.name(msg("steps")))).name(msg("trajectory"));
    drawer.on("keydown", move |event: web_sys::KeyboardEvent| {
        if event.key() == "Escape" {
            event.prevent_default();
            close(&keys);
        }
    })
}

/// Requests the details that only the journal contains, and requests them again when the run
/// advances.
fn inspect(surface: &Surface, run: &RunId) {
    let progress = surface.of(run, |turn| (turn.status, turn.step, turn.steps.len()));
    let (surface, run) = (surface.clone(), run.clone());
    create_effect(move || {
        if progress.get().is_some() {
            surface
                .connection()
                .ask(&Command::Inspect { run: run.clone() });
        }
    });
}

/// The run's numbers: its steps and the fewest possible steps, efficiency, errors, time, tokens and
/// cost.
fn facts(surface: &Surface, run: &RunId) -> Tag {
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
                duration(&turn).map(|ms| (msg("time"), span_of(ms))),
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
        let facts = facts().unwrap_or_default().into_iter();
        let fact = |(name, value)| tag("div", (tag("dt", name), tag("dd", value)));
        facts.map(fact).collect::<Vec<_>>()
    });
    tag("dl.facts", facts)
}

fn errors_of(step: &StepShown) -> usize {
    let failed = step.calls.iter().filter(|call| call.state.is_error());
    failed.count() + step.failures.len()
}
