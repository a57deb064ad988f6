//! The data that leaves this device with the current settings, and the sites that Gloss may reach.

use super::approvals::approvals;
use super::never::never;
use super::prelude::*;
use super::sites::sites;
use crate::browser::host_of;
use gloss::model::{ModelChoice, Profile};

/// Builds the section *Privacy*.
pub(crate) fn privacy() -> Tag {
    let lead = (
        tag("p", msg("options_privacy_lead")),
        tag("h3", msg("options_leaves")),
    );
    section(
        "privacy",
        msg("options_privacy"),
        (lead, table(), sites(), never(), approvals(), history()),
    )
}

/// The switch that keeps conversations after the browser is closed.
fn history() -> View {
    let result = create_signal(Feedback::None);
    let keep = setting(
        "keep-history",
        msg("options_keep_history"),
        (
            msg("options_keep_history_about"),
            " ",
            msg("options_keep_history_off"),
        ),
        result,
        |set| set.keep_history,
        Change::KeepHistory,
    );
    let heading = group_heading("keeping", msg("options_history"), result);
    fragment((heading, rows(keep)))
}

fn table() -> Tag {
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
        rows.collect::<Vec<_>>()
    });
    let keys = [
        msg("options_leaves_keys"),
        msg("options_each_call"),
        msg("options_own_provider"),
    ];
    let others = live_if(others, move || line(keys.clone()));
    // Only the tool `web_search` sends anything to the search provider.
    let asks = page.of(|state| state.tools.iter().any(|tool| tool.name == "web_search"));
    let searches = live_if(asks, move || {
        let engine = set.with(|set| set.search.engine);
        let host = host_of(&set.with(|set| set.search.server(engine).base_url));
        let to = msg_with("options_host_of", &[&host, engine.name()]);
        line([
            msg("options_leaves_queries"),
            msg("options_each_search"),
            to,
        ])
    });
    let heads = head_row([msg("options_what"), msg("options_when"), msg("options_to")]);
    scroll_table(
        msg("options_leaves"),
        heads,
        (answers, after, others, searches),
    )
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
