//! The data that leaves this device with the current settings, and the sites that Gloss may reach.

use super::controls::{rows, section, switch_row};
use super::feedback::{Feedback, group_heading};
use super::page::Page;
use super::sites::sites;
use crate::browser::host_of;
use crate::live::live;
use crate::parts::{cell_row, head_row, scroll_table, tag};
use crate::words::{msg, msg_with};
use gloss::app::options::Change;
use gloss::model::{ModelChoice, Profile};
use sycamore::prelude::*;

pub(crate) fn privacy() -> View {
    let lead = (
        tag("p", msg("options_privacy_lead")),
        tag("h3", msg("options_leaves")),
    );
    section(
        "privacy",
        msg("options_privacy"),
        (lead, table(), sites(), history()),
    )
}

/// The switch that keeps conversations after the browser is closed.
fn history() -> View {
    let page = Page::from_context();
    let set = page.preferences();
    let result = create_signal(Feedback::None);
    let keep = switch_row(
        "keep-history",
        msg("options_keep_history"),
        (
            msg("options_keep_history_about"),
            " ",
            msg("options_keep_history_off"),
        ),
        move || set.with(|set| set.keep_history),
        move |on| page.change(Change::KeepHistory(on), result),
    );
    View::from((
        group_heading("keeping", msg("options_history"), result),
        rows(keep),
    ))
}

fn table() -> View {
    let page = Page::from_context();
    let set = page.preferences();
    let answering = create_selector(move || set.with(gloss::app::preferences::Preferences::main));
    let after = create_selector(move || set.with(|set| set.fallback(&set.main())));
    let others = create_selector(move || set.with(|set| !set.profiles.is_empty()));
    let answers = live(move || {
        let to = match answering.get_clone() {
            ModelChoice::Embedded => msg("options_nowhere"),
            ModelChoice::BuiltIn => msg("options_nowhere_built_in"),
            ModelChoice::Profile(profile) => server(&profile),
        };
        line([msg("options_leaves_pages"), msg("options_each_answer"), to])
    });
    let after = live(move || {
        let rows = after.get_clone().into_iter().filter_map(|next| match next {
            ModelChoice::Embedded | ModelChoice::BuiltIn => None,
            ModelChoice::Profile(profile) => Some(line([
                msg("options_leaves_pages"),
                msg("options_after_failure"),
                server(&profile),
            ])),
        });
        rows.collect::<Vec<View>>()
    });
    let keys = [
        msg("options_leaves_keys"),
        msg("options_each_call"),
        msg("options_own_provider"),
    ];
    let others = live(move || others.get().then(|| line(keys.clone())));
    // Only the tool `web_search` sends anything to the search provider.
    let asks = page.of(|state| state.tools.iter().any(|tool| tool.name == "web_search"));
    let searches = live(move || {
        asks.get().then(|| {
            let engine = set.with(|set| set.search.engine);
            let host = host_of(&set.with(|set| set.search.server(engine).base_url));
            let to = msg_with("options_host_of", &[&host, engine.name()]);
            line([
                msg("options_leaves_queries"),
                msg("options_each_search"),
                to,
            ])
        })
    });
    let heads = head_row([msg("options_what"), msg("options_when"), msg("options_to")]);
    scroll_table(
        msg("options_leaves"),
        heads,
        (answers, after, others, searches),
    )
    .into()
}

fn server(profile: &Profile) -> String {
    msg_with(
        "options_host_of",
        &[&host_of(&profile.base_url), &profile.name],
    )
}

fn line(cells: [String; 3]) -> View {
    cell_row(cells.map(View::from))
}
