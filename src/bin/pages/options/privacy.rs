//! What leaves this device, as set now, and whom Gloss may speak to.

use super::browser::is_checked;
use super::page::Page;
use super::sites::sites;
use super::told::{Told, heading};
use crate::browser::host_of;
use crate::live::{handler, live};
use crate::words::{msg, msg_with};
use gloss::app::options::Change;
use gloss::model::Choice;
use sycamore::prelude::*;

/// The section.
pub(crate) fn privacy() -> View {
    let (name, lead, leaves) = (
        msg("options_privacy"),
        msg("options_privacy_lead"),
        msg("options_leaves"),
    );
    let region = leaves.clone();
    let table = table();
    let sites = sites();
    let history = history();
    view! {
        section(class="sect", id="privacy", aria-labelledby="privacy-h") {
            h2(id="privacy-h") { (name) }
            p { (lead) }
            h3 { (leaves) }
            div(class="scroll-x", tabindex="0", role="region", aria-label=region) { (table) }
            (sites)
            (history)
        }
    }
}

/// Whether conversations outlive the browser's session.
fn history() -> View {
    let page = Page::here();
    let set = page.preferences();
    let result = create_signal(Told::Nothing);
    let is_kept = move || set.with(|set| set.keep_history);
    let [title, label, means, off] = [
        msg("options_history"),
        msg("options_keep_history"),
        msg("options_keep_history_about"),
        msg("options_keep_history_off"),
    ];
    let heading = heading("keeping", title, result);
    view! {
        (heading)
        ul(class="rows") {
            li {
                div(class="grow") {
                    label(r#for="keep-history") { (label) }
                    p(id="keep-history-d") { (means) " " (off) }
                }
                input(
                    r#type="checkbox",
                    role="switch",
                    id="keep-history",
                    aria-describedby="keep-history-d",
                    prop:checked=is_kept,
                    on:change=handler(move |event: web_sys::Event| {
                        page.change(Change::KeepHistory(is_checked(&event)), result);
                    }),
                )
            }
        }
    }
}

fn table() -> View {
    let page = Page::here();
    let (set, state) = (page.preferences(), page.state);
    let answering = create_selector(move || set.with(gloss::app::preferences::Preferences::main));
    let after = create_selector(move || set.with(|set| set.fallback(&set.main())));
    let others = create_selector(move || set.with(|set| !set.profiles.is_empty()));
    let [what, when, to] = [msg("options_what"), msg("options_when"), msg("options_to")];
    let answers = live(move || match answering.get_clone() {
        Choice::Embedded => row(
            msg("options_leaves_pages"),
            msg("options_each_answer"),
            msg("options_nowhere"),
        ),
        Choice::BuiltIn => row(
            msg("options_leaves_pages"),
            msg("options_each_answer"),
            msg("options_nowhere_built_in"),
        ),
        Choice::Profile(profile) => row(
            msg("options_leaves_pages"),
            msg("options_each_answer"),
            msg_with(
                "options_host_of",
                &[&host_of(&profile.base_url), &profile.name],
            ),
        ),
    });
    let after = live(move || {
        let rows = after.get_clone().into_iter().filter_map(|next| match next {
            Choice::Embedded | Choice::BuiltIn => None,
            Choice::Profile(profile) => Some(row(
                msg("options_leaves_pages"),
                msg("options_after_failure"),
                msg_with(
                    "options_host_of",
                    &[&host_of(&profile.base_url), &profile.name],
                ),
            )),
        });
        rows.collect::<Vec<View>>()
    });
    let others = live(move || {
        others.get().then(|| {
            row(
                msg("options_leaves_keys"),
                msg("options_each_call"),
                msg("options_own_provider"),
            )
        })
    });
    let searching = create_selector(move || {
        // Only what asks a provider sends anything there.
        let asks = state.with(|state| {
            let tools = state.as_ref().map(|state| state.tools.as_slice());
            tools
                .unwrap_or_default()
                .iter()
                .any(|tool| tool.name == "web_search")
        });
        let engine = set.with(|set| set.search.engine);
        let place = set.with(|set| set.search.server(engine).base_url);
        asks.then(|| (engine.name(), host_of(&place)))
    });
    let searches = live(move || {
        searching.get_clone().map(|(name, host)| {
            row(
                msg("options_leaves_queries"),
                msg("options_each_search"),
                msg_with("options_host_of", &[&host, name]),
            )
        })
    });
    view! {
        table {
            thead { tr {
                th(scope="col") { (what) }
                th(scope="col") { (when) }
                th(scope="col") { (to) }
            } }
            tbody {
                (answers)
                (after)
                (others)
                (searches)
            }
        }
    }
}

fn row(what: String, when: String, to: String) -> View {
    view! { tr { td { (what) } td { (when) } td { (to) } } }
}
