//! A switch for each tool. The switches apply to the next messages of this conversation.

use crate::options::controls::{labelled_row, switch_input};
use crate::prelude::*;
use crate::surface::Surface;
use gloss::agent::Mode;
use gloss::app::surface::{Snapshot, TabContent};
use gloss::tools::{Group, ToolSetting};

/// The reason why a tool can't be used now, even if its switch is on.
#[derive(Clone, PartialEq)]
enum Barred {
    /// The tool's group is off in Options.
    Group(Group),
    /// There is no page that Gloss can read.
    NoPage,
}

impl Barred {
    fn of(tool: &ToolSetting, shown: &Snapshot) -> Option<Self> {
        let off = tool.group.filter(|it| shown.tools.groups_off.contains(it));
        let readable = matches!(shown.beside, TabContent::Page { .. } | TabContent::Looking);
        let needs = (tool.needs_page && !readable).then_some(Self::NoPage);
        off.map(Self::Group).or(needs)
    }

    fn words(&self) -> String {
        match self {
            Self::NoPage => msg("tool_no_page_here"),
            Self::Group(group) => msg_with("tool_group_off", &[&group_name(*group)]),
        }
    }
}

pub(crate) fn group_name(group: Group) -> String {
    match group {
        Group::WebSearch => msg("tool_group_web_search"),
        Group::Memory => msg("tool_group_memory"),
        Group::Images => msg("tool_group_images"),
    }
}

pub(crate) fn tool_switches() -> View {
    let surface = Surface::from_context();
    let shown = surface.shown;
    let all = create_selector(move || shown.with(|shown| shown.tools.all.clone()));
    keyed(move || all.get_clone(), |tool| tool.name.clone(), row)
}

fn row(tool: ToolSetting) -> Tag {
    let surface = Surface::from_context();
    let (shown, tuned) = (surface.shown, surface.tuned());
    let (id, title, means) = (
        format!("tools-{}", tool.name),
        phrase_text(&tool.title),
        phrase_text(&tool.means),
    );
    let (name, turned) = (tool.name.clone(), tool.name.clone());
    let barred = create_selector(move || shown.with(|shown| Barred::of(&tool, shown)));
    let about = live_text(move || {
        barred
            .get_clone()
            .map_or_else(|| means.clone(), |barred| barred.words())
    });
    let is_off =
        move || tuned.with(|tuning| tuning.mode == Mode::Plain) || barred.with(Option::is_some);
    let is_on = move || {
        let barred = barred.with(Option::is_some);
        !barred && tuned.with(|tuning| !tuning.tools_off.contains(&name))
    };
    let turned = move |on| {
        let tool = turned.clone();
        surface.tune(move |tuning| {
            if on {
                tuning.tools_off.remove(&tool);
            } else {
                tuning.tools_off.insert(tool);
            }
        });
    };
    let switch = switch_input(&id, is_on, turned).disabled(is_off);
    labelled_row(&id, title, about, switch)
}
