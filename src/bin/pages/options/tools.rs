//! A switch for each tool of the agent and for each group of tools, and the setting for a failing
//! tool.

use super::controls::{choice, rows, section, switch_row};
use super::feedback::{Feedback, group_heading};
use super::page::Page;
use crate::parts::tag;
use crate::tool_switches::group_name;
use crate::words::{msg, phrase_text};
use gloss::agent::OnToolFailure;
use gloss::app::options::{Change, Switch};
use gloss::tools::{Group, ToolSetting};
use std::collections::BTreeSet;
use sycamore::prelude::*;

/// The section. The list of tools never changes while a worker lives.
pub(crate) fn tools() -> View {
    let all = Page::from_context()
        .of(|state| state.tools.clone())
        .get_clone_untracked();
    let groups: BTreeSet<Group> = all.iter().filter_map(|tool| tool.group).collect();
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
    let (page, result) = (Page::from_context(), create_signal(Feedback::None));
    let set = page.preferences();
    let switches = groups.iter().map(|&group| {
        let id = match group {
            Group::WebSearch => "group-web",
            Group::Memory => "group-memory",
            Group::Images => "group-images",
        };
        let page = page.clone();
        let is_on = move || set.with(|set| !set.groups_off.contains(&group));
        let turned = move |on| page.change(Change::Group(group, Switch::of(on)), result);
        switch_row(
            id,
            group_name(group),
            msg("options_tools_wins"),
            is_on,
            turned,
        )
    });
    let switches: Vec<View> = switches.collect();
    View::from((
        group_heading("tools-all", msg("options_tools_all"), result),
        rows(switches),
    ))
}

fn tool_switches(all: &[ToolSetting]) -> View {
    let (page, result) = (Page::from_context(), create_signal(Feedback::None));
    let set = page.preferences();
    let switches = all.iter().map(|tool| {
        let (page, name, turned) = (page.clone(), tool.name.clone(), tool.name.clone());
        let about = (
            tag("code", tool.name.clone()),
            " · ",
            phrase_text(&tool.means),
        );
        let is_on = move || set.with(|set| !set.tools_off.contains(&name));
        let turned = move |on| page.change(Change::Tool(turned.clone(), Switch::of(on)), result);
        switch_row(
            &format!("tool-{}", tool.name),
            phrase_text(&tool.title),
            about,
            is_on,
            turned,
        )
    });
    let switches: Vec<View> = switches.collect();
    View::from((
        group_heading("tools-each", msg("options_tools_each"), result),
        rows(switches),
    ))
}
