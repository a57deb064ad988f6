//! The menu of answering models, which follows the ARIA pattern "select-only combobox". The focus
//! stays on the button. `aria-activedescendant` names the option that Enter would choose.

use crate::built_in::BuiltIn;
use crate::popover::{follow, set_open};
use crate::prelude::*;
use crate::surface::Surface;
use gloss::app::surface::ModelOption;
use gloss::model::BUILT_IN;
use gloss::model::facts::money;
use gloss::ui::figures::is_own_machine;
use gloss::ui::type_ahead::{Key, TypeAhead};

#[derive(Clone, Copy)]
struct Menu {
    open: Signal<bool>,
    node: NodeRef,
    /// The index of the active option.
    active: Signal<usize>,
    typed: Signal<TypeAhead>,
    offers: ReadSignal<Vec<ModelOption>>,
    chosen: ReadSignal<usize>,
}

pub(crate) fn model_menu() -> View {
    let surface = Surface::from_context();
    let (shown, tuned) = (surface.shown, surface.tuned());
    let built_in = BuiltIn::from_context();
    let offers = create_selector(move || {
        let offers = shown.with(|shown| shown.offers.clone());
        tuned.with(|tuning| built_in.shown(offers, &tuning.model))
    });
    let chosen = create_selector(move || {
        let is_set = |offer: &ModelOption| tuned.with(|tuning| offer.id == tuning.model);
        offers.with(|offers| offers.iter().position(is_set).unwrap_or(0))
    });
    let menu = Menu {
        open: create_signal(false),
        node: create_node_ref(),
        active: create_signal(0),
        typed: create_signal(TypeAhead::default()),
        offers,
        chosen,
    };
    let value = live_text(move || {
        let name = offers.with(|offers| offers.get(chosen.get()).map(name));
        name.unwrap_or_else(|| msg("on_device"))
    });
    let on_device =
        create_selector(move || tuned.with(|tuning| tuning.model == BUILT_IN) || chosen.get() == 0);
    let device = live_if(on_device, move || icon("device"));
    let list = list(&surface, menu);
    let button = tag(
        "button.btn.quiet",
        (device, tag("span.clip", value), icon("down")),
    )
    .attr("type", "button")
    .role("combobox")
    .name(msg("model"))
    .attr("aria-haspopup", "listbox")
    .attr("aria-expanded", move || bool_text(menu.open.get()))
    .attr("aria-controls", "models")
    .attr("aria-activedescendant", move || {
        menu.open.get().then(|| option_id(menu.active.get()))
    })
    .attr("popovertarget", "models-float")
    .on("keydown", move |event: web_sys::KeyboardEvent| {
        if menu.pressed(&surface, &event) {
            event.prevent_default();
        }
    });
    fragment((button, list))
}

fn list(surface: &Surface, menu: Menu) -> Tag {
    let (follow, built_in, surface) = (follow(menu.open), BuiltIn::from_context(), surface.clone());
    // Options are grouped by profile, in the order of the profiles. The on-device model is always
    // first.
    let groups = live(move || {
        let offers = menu.offers.get_clone();
        let numbered: Vec<(usize, &ModelOption)> = offers.iter().enumerate().collect();
        let groups = numbered.chunk_by(|(_, one), (_, other)| one.provider == other.provider);
        groups
            .map(|some| group(&surface, menu, some))
            .collect::<Vec<_>>()
    });
    let menu_list = tag("div.menu", groups)
        .role("listbox")
        .id("models")
        .name(msg("model"));
    let link = tag("a", msg("connect_a_model_more")).attr("href", "options.html#models");
    let foot = (
        msg("for_this_conversation_full"),
        " ",
        link.attr("target", "_blank"),
    );
    tag("div.float", (menu_list, tag("p.meta.foot", foot)))
        .id("models-float")
        .attr("popover", "auto")
        .node(menu.node)
        .on("toggle", move |event: web_sys::Event| {
            menu.active.set(menu.chosen.get_untracked());
            built_in.refresh();
            follow(event);
        })
}

fn group(surface: &Surface, menu: Menu, offers: &[(usize, &ModelOption)]) -> Tag {
    let options = offers
        .iter()
        .map(|(at, offer)| option(surface, menu, *at, offer));
    let options: Vec<_> = options.collect();
    let provider = offers.first().map(|(_, offer)| offer.provider.clone());
    let title = provider.filter(|name| !name.is_empty());
    let title = title.unwrap_or_else(|| msg("always_there"));
    let label = tag("p.label", title.clone()).attr("aria-hidden", "true");
    tag("div", (label, options)).role("group").name(title)
}

fn option(surface: &Surface, menu: Menu, at: usize, offer: &ModelOption) -> Tag {
    let surface = surface.clone();
    let is_chosen = create_selector(move || menu.chosen.get() == at);
    let check = live_if(is_chosen, move || icon("check"));
    let words = (
        tag("span.grow", name(offer)),
        tag("span.meta.num", place(offer)),
        check,
    );
    tag("div", words)
        .role("option")
        .id(option_id(at))
        .class(move || if menu.active.get() == at { "at" } else { "" })
        .attr("aria-selected", move || bool_text(is_chosen.get()))
        .press(move || menu.choose(&surface, at))
}

impl Menu {
    /// Handles a key; returns true if the key did something.
    fn pressed(self, surface: &Surface, event: &web_sys::KeyboardEvent) -> bool {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return false;
        }
        let (open, at) = (self.open.get_untracked(), self.active.get_untracked());
        let names = self.offers.with_untracked(|offers| {
            offers
                .iter()
                .map(|offer| name(offer).to_lowercase())
                .collect::<Vec<_>>()
        });
        let mut typed = self.typed.get_clone_untracked();
        let key = typed.pressed(&event.key(), open, at, &names, crate::browser::now_ms());
        self.typed.set(typed);
        match key {
            Key::Other => return false,
            Key::Open => set_open(self.node, true),
            Key::Choose => self.choose(surface, at),
            Key::Typed(found) => {
                if !open {
                    set_open(self.node, true);
                }
                match found {
                    Some(to) => self.go(to),
                    None => return open,
                }
            }
            Key::Go(to) => self.go(to),
        }
        true
    }

    fn go(self, to: usize) {
        self.active.set(to);
        if let Some(option) = sycamore::web::document().get_element_by_id(&option_id(to)) {
            option.scroll_into_view_with_bool(false);
        }
    }

    fn choose(self, surface: &Surface, at: usize) {
        let id = self
            .offers
            .with_untracked(|offers| offers.get(at).map(|offer| offer.id.clone()));
        if let Some(id) = id {
            surface.tune(|tuning| tuning.model = id);
        }
        set_open(self.node, false);
    }
}

fn option_id(at: usize) -> String {
    format!("model-{at}")
}

fn name(offer: &ModelOption) -> String {
    match offer.id.as_str() {
        "" => msg("on_device"),
        BUILT_IN => msg("built_in"),
        _ => offer.model.clone(),
    }
}

/// Returns the cost of an answer, or the server that receives the page.
fn place(offer: &ModelOption) -> String {
    match (offer.id.as_str(), offer.cost) {
        ("", _) => msg("quotes_sends_nothing"),
        (BUILT_IN, _) => BuiltIn::from_context().status_text(),
        _ if is_own_machine(&offer.host) => msg("own_machine"),
        (_, Some(cost)) if cost > 0 => msg_with("about_an_answer", &[&money(cost)]),
        (_, Some(_) | None) => offer.host.clone(),
    }
}
