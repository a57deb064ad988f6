//! What the agent may use: a switch for each tool that there is, for those that belong
//! together, and what becomes of a run when one fails.

use super::browser::is_checked;
use super::choice::choice;
use super::page::Page;
use super::told::{Told, heading};
use crate::live::handler;
use crate::words::{msg, said};
use gloss::agent::OnToolFailure;
use gloss::app::options::{Change, Switch};
use gloss::app::preferences::Preferences;
use gloss::tools::{Group, ToolOffer};
use std::collections::BTreeSet;
use sycamore::prelude::*;

/// The section. Which tools there are stays the same for as long as a worker does.
pub(crate) fn tools() -> View {
    let state = Page::here().state;
    let all = state.with_untracked(|state| {
        let state = state.as_ref();
        state.map(|state| state.tools.clone()).unwrap_or_default()
    });
    let (name, means) = (msg("options_tools"), msg("options_tools_means"));
    let groups: BTreeSet<Group> = all.iter().filter_map(|tool| tool.group).collect();
    let groups = (!groups.is_empty()).then(|| together(&groups));
    let each = each(&all);
    let failing = choice(
        "on-tool-failure",
        msg("options_tool_failure"),
        [
            (
                OnToolFailure::Continue,
                "msg:options_tool_continue",
                "msg:options_tool_continue_means",
            ),
            (
                OnToolFailure::Fail,
                "msg:options_tool_fail",
                "msg:options_tool_fail_means",
            ),
        ],
        |set| set.on_tool_failure,
        Change::OnToolFailure,
    );
    view! {
        section(class="sect", id="tools", aria-labelledby="tools-h") {
            h2(id="tools-h") { (name) }
            p { (means) }
            (groups)
            (each)
            (failing)
        }
    }
}

fn together(groups: &BTreeSet<Group>) -> View {
    let told = create_signal(Told::Nothing);
    let rows: Vec<View> = groups
        .iter()
        .map(|group| {
            let group = *group;
            let (id, name) = match group {
                Group::WebSearch => ("group-web", msg("tool_group_web_search")),
                Group::Memory => ("group-memory", msg("tool_group_memory")),
                Group::Images => ("group-images", msg("tool_group_images")),
            };
            let wins = msg("options_tools_wins");
            let about = view! { (wins) };
            let is_on = move |set: &Preferences| !set.groups_off.contains(&group);
            row(id.to_owned(), name, about, is_on, told, move |switch| {
                Change::Group(group, switch)
            })
        })
        .collect();
    let heading = heading("tools-all", msg("options_tools_all"), told);
    view! {
        (heading)
        ul(class="rows") { (rows) }
    }
}

fn each(all: &[ToolOffer]) -> View {
    let told = create_signal(Told::Nothing);
    let rows: Vec<View> = all
        .iter()
        .map(|tool| {
            let (name, called) = (tool.name.clone(), tool.name.clone());
            let (id, means) = (tool.name.clone(), said(&tool.means));
            let about = view! {
                code { (id) }
                " · "
                (means)
            };
            let id = format!("tool-{name}");
            let is_on = move |set: &Preferences| !set.tools_off.contains(&name);
            row(id, said(&tool.title), about, is_on, told, move |switch| {
                Change::Tool(called.clone(), switch)
            })
        })
        .collect();
    let heading = heading("tools-each", msg("options_tools_each"), told);
    view! {
        (heading)
        ul(class="rows") { (rows) }
    }
}

/// A switch that applies at once.
fn row(
    id: String,
    name: String,
    about: View,
    is_on: impl Fn(&Preferences) -> bool + 'static,
    told: Signal<Told>,
    change: impl Fn(Switch) -> Change + 'static,
) -> View {
    let page = Page::here();
    let set = page.preferences();
    let is_on = move || set.with(&is_on);
    let (label, described) = (id.clone(), format!("{id}-d"));
    let describes = described.clone();
    view! {
        li {
            div(class="grow") {
                label(r#for=label) { (name) }
                p(id=describes) { (about) }
            }
            input(
                r#type="checkbox",
                role="switch",
                id=id,
                aria-describedby=described,
                prop:checked=is_on,
                on:change=handler(move |event: web_sys::Event| {
                    page.change(change(Switch::of(is_checked(&event))), told);
                }),
            )
        }
    }
}
