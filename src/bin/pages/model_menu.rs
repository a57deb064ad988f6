//! Which model answers: a select-only combobox. The focus stays on the button;
//! the option that Enter would choose is its active descendant.

use crate::built_in::BuiltIn;
use crate::float::{follow, is, set_open};
use crate::icon::icon;
use crate::live::{handler, live, live_text};
use crate::surface::Surface;
use crate::words::{msg, msg_with};
use gloss::app::surface::Offer;
use gloss::model::BUILT_IN;
use gloss::model::facts::money;
use gloss::ui::figures::is_own_machine;
use sycamore::prelude::*;

/// Letters that come slower than this begin a new word.
const TYPED_MS: u64 = 700;

/// What the keys act on.
#[derive(Clone, Copy)]
struct Menu {
    open: Signal<bool>,
    node: NodeRef,
    /// The place of the option that the keys are at.
    active: Signal<usize>,
    /// What was typed to find an option, and when.
    typed: Signal<(String, u64)>,
    offers: ReadSignal<Vec<Offer>>,
}

/// The combobox and its list.
pub(crate) fn model_menu() -> View {
    let surface = Surface::here();
    let (shown, tuned) = (surface.shown, surface.tuned());
    let built_in = BuiltIn::here();
    let menu = Menu {
        open: create_signal(false),
        node: create_node_ref(),
        active: create_signal(0),
        typed: create_signal((String::new(), 0)),
        offers: create_selector(move || {
            let offers = shown.with(|shown| shown.offers.clone());
            tuned.with(|tuning| built_in.shown(offers, &tuning.model))
        }),
    };
    let chosen = create_selector(move || {
        let model = tuned.with(|tuning| tuning.model.clone());
        let offers = menu.offers.get_clone();
        offers
            .iter()
            .position(|offer| offer.id == model)
            .unwrap_or(0)
    });
    let value = move || {
        let offers = menu.offers.get_clone();
        offers
            .get(chosen.get())
            .map_or_else(|| msg("on_device"), name)
    };
    let on_device =
        create_selector(move || tuned.with(|tuning| tuning.model == BUILT_IN) || chosen.get() == 0);
    let (model_name, down_icon) = (msg("model"), icon("down"));
    let keys = surface.clone();
    let list = list(&surface, menu, chosen);
    let device = live(move || {
        if on_device.get() {
            icon("device")
        } else {
            View::new()
        }
    });
    let value = live_text(value);
    view! {
        button(
            r#type="button",
            class="btn quiet",
            role="combobox",
            aria-label=model_name,
            aria-haspopup="listbox",
            aria-expanded=move || is(menu.open.get()),
            aria-controls="models",
            aria-activedescendant=move || menu.open.get().then(|| option_id(menu.active.get())),
            "popovertarget"="models-float",
            on:keydown=handler(move |event: web_sys::KeyboardEvent| {
                if menu.pressed(&keys, &event) {
                    event.prevent_default();
                }
            }),
        ) {
            (device)
            span(class="clip") { (value) }
            (down_icon)
        }
        (list)
    }
}

fn list(surface: &Surface, menu: Menu, chosen: ReadSignal<usize>) -> View {
    let (model_name, foot) = (msg("model"), msg("for_this_conversation_full"));
    let connect_word = msg("connect_a_model_more");
    let (follow, built_in) = (follow(menu.open), BuiltIn::here());
    let node = menu.node;
    let groups = groups(surface, menu, chosen);
    let foot = format!("{foot} ");
    view! {
        div(
            class="float",
            id="models-float",
            popover="auto",
            r#ref=node,
            on:toggle=handler(move |event: web_sys::Event| {
                menu.active.set(chosen.get_untracked());
                built_in.look();
                follow(event);
            }),
        ) {
            div(class="menu", role="listbox", id="models", aria-label=model_name) {
                (groups)
            }
            p(class="meta foot") {
                (foot)
                a(href="options.html#models", target="_blank") { (connect_word) }
            }
        }
    }
}

/// The offers by profile, in their order; the on-device one is always first.
fn groups(surface: &Surface, menu: Menu, chosen: ReadSignal<usize>) -> View {
    let surface = surface.clone();
    live(move || {
        let offers = menu.offers.get_clone();
        let numbered: Vec<(usize, &Offer)> = offers.iter().enumerate().collect();
        numbered
            .chunk_by(|(_, one), (_, other)| one.provider == other.provider)
            .map(|some| group(&surface, menu, chosen, some))
            .collect::<Vec<View>>()
    })
}

fn group(
    surface: &Surface,
    menu: Menu,
    chosen: ReadSignal<usize>,
    offers: &[(usize, &Offer)],
) -> View {
    let options: Vec<View> = offers
        .iter()
        .map(|(at, offer)| option(surface, menu, chosen, *at, offer))
        .collect();
    let provider = offers.first().map(|(_, offer)| offer.provider.clone());
    let title = provider.filter(|name| !name.is_empty());
    let title = title.unwrap_or_else(|| msg("always_there"));
    let name = title.clone();
    view! {
        div(role="group", aria-label=name) {
            p(class="label", aria-hidden="true") { (title) }
            (options)
        }
    }
}

fn option(
    surface: &Surface,
    menu: Menu,
    chosen: ReadSignal<usize>,
    at: usize,
    offer: &Offer,
) -> View {
    let (name, place) = (name(offer), place(offer));
    let surface = surface.clone();
    let check = create_selector(move || chosen.get() == at);
    let check = live(move || {
        if check.get() {
            icon("check")
        } else {
            View::new()
        }
    });
    view! {
        div(
            role="option",
            id=option_id(at),
            class=move || if menu.active.get() == at { "at" } else { "" },
            aria-selected=move || is(chosen.get() == at),
            on:click=handler(move |_| menu.choose(&surface, at)),
        ) {
            span(class="grow") { (name) }
            span(class="meta num") { (place) }
            (check)
        }
    }
}

impl Menu {
    /// What a key does; whether it did something.
    fn pressed(self, surface: &Surface, event: &web_sys::KeyboardEvent) -> bool {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return false;
        }
        let last = self.offers.with_untracked(Vec::len).saturating_sub(1);
        let (open, at) = (self.open.get_untracked(), self.active.get_untracked());
        let to = match event.key().as_str() {
            "ArrowDown" if open => (at + 1).min(last),
            "ArrowUp" if open => at.saturating_sub(1),
            "ArrowDown" | "ArrowUp" => {
                set_open(self.node, true);
                return true;
            }
            "Home" if open => 0,
            "End" if open => last,
            "Enter" | " " if open => {
                self.choose(surface, at);
                return true;
            }
            key if key.chars().count() == 1 && key != " " => match self.found(key, open) {
                Some(found) => found,
                None => return open,
            },
            _ => return false,
        };
        self.active.set(to);
        show_option(to);
        true
    }

    /// The next option that begins with what was typed; opens the list.
    fn found(self, key: &str, open: bool) -> Option<usize> {
        let now = crate::browser::now_ms();
        let (mut typed, at) = self.typed.get_clone_untracked();
        if now.saturating_sub(at) > TYPED_MS {
            typed.clear();
        }
        typed.push_str(&key.to_lowercase());
        self.typed.set((typed.clone(), now));
        if !open {
            set_open(self.node, true);
        }
        self.offers.with_untracked(|offers| {
            // One letter goes on from where it stands; more stay where they fit.
            let from = self.active.get_untracked() + usize::from(typed.chars().count() == 1);
            (0..offers.len())
                .map(|step| (from + step) % offers.len())
                .find(|at| {
                    let offer = offers.get(*at);
                    offer.is_some_and(|offer| name(offer).to_lowercase().starts_with(&typed))
                })
        })
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

fn show_option(at: usize) {
    if let Some(option) = sycamore::web::document().get_element_by_id(&option_id(at)) {
        option.scroll_into_view_with_bool(false);
    }
}

fn name(offer: &Offer) -> String {
    if offer.id.is_empty() {
        msg("on_device")
    } else if offer.id == BUILT_IN {
        msg("built_in")
    } else {
        offer.model.clone()
    }
}

/// What an answer costs, or where it comes from and so what leaves the device.
fn place(offer: &Offer) -> String {
    let host = offer.host.as_str();
    if offer.id.is_empty() {
        return msg("quotes_sends_nothing");
    }
    if offer.id == BUILT_IN {
        return BuiltIn::here().place();
    }
    if is_own_machine(host) {
        return msg("own_machine");
    }
    match offer.cost {
        Some(cost) if cost > 0 => msg_with("about_an_answer", &[&money(cost)]),
        Some(_) | None => host.to_owned(),
    }
}
