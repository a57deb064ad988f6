//! A switch for each tool of the agent and for each group of tools, and the setting for a failing
//! tool.

use super::prelude::*;
use crate::tool_switches::group_name;
use gloss::agent::OnToolFailure;
use gloss::tools::{Group, ToolSetting};
use std::collections::BTreeSet;

/// Builds the section *Tools*. The list of tools doesn't change while a worker is alive.
pub(crate) fn tools() -> Tag {
    let all = Page::from_context()
        .of(|state| state.tools.clone())
        .get_clone_untracked();
    let groups: BTreeSet<Group> = all.iter().filter_map(|tool| tool.group).collect();
    let failing = choice(
        "on-tool-failure",
        msg("options_tool_failure"),
        [
            (OnToolFailure::Continue, "means:options_tool_continue"),
            (OnToolFailure::Fail, "means:options_tool_fail"),
        ],
        |set| set.on_tool_failure,
        Change::OnToolFailure,
    );
    let groups = (!groups.is_empty()).then(|| group_switches(&groups));
    let body = (
        tag("p", msg("options_tools_means")),
        groups,
        tool_switches(&all),
        failing,
    );
    section("tools", msg("options_tools"), body)
}

fn group_switches(groups: &BTreeSet<Group>) -> View {
    let result = create_signal(Feedback::None);
    let switches = groups.iter().map(|&group| {
        let id = match group {
            Group::WebSearch => "group-web",
            Group::Memory => "group-memory",
            Group::Images => "group-images",
        };
        setting(
            id,
            group_name(group),
            msg("options_tools_wins"),
            result,
            move |set| !set.groups_off.contains(&group),
            move |on| Change::Group(group, Switch::of(on)),
        )
    });
    let switches: Vec<_> = switches.collect();
    let heading = group_heading("tools-all", msg("options_tools_all"), result);
    fragment((heading, rows(switches)))
}

fn tool_switches(all: &[ToolSetting]) -> View {
    let result = create_signal(Feedback::None);
    let switches = all.iter().map(|tool| {
        let (name, turned) = (tool.name.clone(), tool.name.clone());
        let code = tag("code", tool.name.clone());
        setting(
            &format!("tool-{}", tool.name),
            phrase_text(&tool.title),
            (code, " · ", phrase_text(&tool.means)),
            result,
            move |set| !set.tools_off.contains(&name),
            move |on| Change::Tool(turned.clone(), Switch::of(on)),
        )
    });
    let switches: Vec<_> = switches.collect();
    let heading = group_heading("tools-each", msg("options_tools_each"), result);
    fragment((heading, rows(switches)))
}
