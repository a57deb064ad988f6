//! A switch for each tool, for the messages to come of this conversation.

use crate::keyed::keyed;
use crate::live::{handler, live};
use crate::surface::Surface;
use crate::words::{msg, msg_with, said};
use gloss::agent::Mode;
use gloss::app::surface::{Beside, Snapshot};
use gloss::tools::{Group, ToolOffer};
use sycamore::prelude::*;
use wasm_bindgen::JsCast;

/// Why a tool cannot be used here, whatever its switch says.
#[derive(Clone, PartialEq)]
enum Barred {
    /// Its group is off in Options.
    Group(Group),
    /// There is no page to read.
    NoPage,
}

impl Barred {
    fn of(tool: &ToolOffer, shown: &Snapshot) -> Option<Self> {
        let off = tool.group.filter(|it| shown.tools.groups_off.contains(it));
        let readable = matches!(shown.beside, Beside::Page { .. } | Beside::Looking);
        let needs = (tool.needs_page && !readable).then_some(Self::NoPage);
        off.map(Self::Group).or(needs)
    }

    fn words(&self) -> String {
        let group = match self {
            Self::NoPage => return msg("tool_no_page_here"),
            Self::Group(Group::WebSearch) => msg("tool_group_web_search"),
            Self::Group(Group::Memory) => msg("tool_group_memory"),
            Self::Group(Group::Images) => msg("tool_group_images"),
        };
        msg_with("tool_group_off", &[&group])
    }
}

/// The rows.
pub(crate) fn tool_switches() -> View {
    let surface = Surface::here();
    let shown = surface.shown;
    let all = create_selector(move || shown.with(|shown| shown.tools.all.clone()));
    keyed(move || all.get_clone(), |tool| tool.name.clone(), row)
}

fn row(tool: ToolOffer) -> View {
    let surface = Surface::here();
    let (shown, tuned) = (surface.shown, surface.tuned());
    let (title, called) = (said(&tool.title), tool.name.clone());
    let id = format!("tools-{}", tool.name);
    let (label, described) = (id.clone(), format!("{id}-d"));
    let describes = described.clone();
    let name = tool.name.clone();
    let means = said(&tool.means);
    let barred = create_selector(move || shown.with(|shown| Barred::of(&tool, shown)));
    let is_off = move || {
        let plain = tuned.with(|tuning| tuning.mode == Mode::Plain);
        plain || barred.with(Option::is_some)
    };
    let about = live(move || {
        let words = barred
            .get_clone()
            .map_or_else(|| means.clone(), |it| it.words());
        view! { (words) }
    });
    let is_on = move || {
        let barred = barred.with(Option::is_some);
        !barred && tuned.with(|tuning| !tuning.tools_off.contains(&name))
    };
    view! {
        li {
            div(class="grow") {
                label(r#for=label) { (title) }
                p(id=describes, class="meta") { (about) }
            }
            input(
                r#type="checkbox",
                role="switch",
                id=id,
                aria-describedby=described,
                disabled=is_off,
                prop:checked=is_on,
                on:change=handler(move |event: web_sys::Event| {
                    let called = called.clone();
                    let on = is_checked(&event);
                    surface.tune(move |tuning| {
                        if on {
                            tuning.tools_off.remove(&called);
                        } else {
                            tuning.tools_off.insert(called);
                        }
                    });
                }),
            )
        }
    }
}

fn is_checked(event: &web_sys::Event) -> bool {
    let field = event
        .target()
        .and_then(|it| it.dyn_into::<web_sys::HtmlInputElement>().ok());
    field.is_some_and(|field| field.checked())
}
