//! Which model answers, which one plays each other part, and who goes on where one fails.

use super::browser::value;
use super::order::order;
use super::page::Page;
use super::told::{Told, heading};
use crate::built_in::BuiltIn;
use crate::live::handler;
use crate::words::{msg, msg_of};
use gloss::app::options::Change;
use gloss::app::preferences::{Preferences, Role};
use gloss::app::surface::Offer;
use gloss::model::BUILT_IN;
use sycamore::prelude::*;

/// What a select is for.
#[derive(Clone, Copy)]
enum Part {
    Main,
    Other(Role),
}

impl Part {
    /// The key of its id, of its name and of what it is for.
    fn words(self) -> [&'static str; 3] {
        match self {
            Self::Main => ["main", "msg:options_main_role", "msg:options_main_means"],
            Self::Other(Role::Light) => {
                ["light", "msg:options_light_role", "msg:options_light_means"]
            }
            Self::Other(Role::Vision) => [
                "vision",
                "msg:options_vision_role",
                "msg:options_vision_means",
            ],
            Self::Other(Role::Image) => {
                ["image", "msg:options_image_role", "msg:options_image_means"]
            }
            Self::Other(Role::Embedding) => [
                "embedding",
                "msg:options_embedding_role",
                "msg:options_embedding_means",
            ],
        }
    }

    /// The id of the profile that is set; empty for the device, or for who follows.
    fn of(self, set: &Preferences) -> &str {
        let id = match self {
            Self::Main => set.answers.as_deref(),
            Self::Other(role) => set.roles.of(role),
        };
        id.unwrap_or_default()
    }

    fn change(self, id: Option<String>) -> Change {
        match self {
            Self::Main => Change::Answers(id),
            Self::Other(role) => Change::Role(role, id),
        }
    }

    /// Whether it is played in words, which is all that the browser's own model has.
    fn is_spoken(self) -> bool {
        match self {
            Self::Main | Self::Other(Role::Light | Role::Vision) => true,
            Self::Other(Role::Image | Role::Embedding) => false,
        }
    }

    /// What stands for the empty id.
    fn none(self) -> String {
        match self {
            Self::Main => msg("on_device"),
            Self::Other(_) => msg("options_follow_main"),
        }
    }
}

/// The group.
pub(super) fn roles() -> View {
    let told = create_signal(Told::Nothing);
    let parts = std::iter::once(Part::Main).chain(Role::ALL.map(Part::Other));
    let fields: Vec<View> = parts.map(|part| field(part, told)).collect();
    let heading = heading("roles", msg("options_roles"), told);
    let order = order();
    view! {
        (heading)
        (fields)
        (order)
    }
}

/// What a model is called in a list of them.
pub(super) fn name_of(offer: &Offer) -> String {
    if offer.id.is_empty() {
        msg("on_device")
    } else if offer.id == BUILT_IN {
        msg("built_in")
    } else {
        format!("{} · {}", offer.provider, offer.model)
    }
}

fn field(part: Part, told: Signal<Told>) -> View {
    let page = Page::here();
    let set = page.preferences();
    let [id, label, means] = part.words();
    let (label, means) = (msg_of(label), msg_of(means));
    let built_in = BuiltIn::here();
    let offers = create_selector(move || {
        let mut offers = set.with(|set| built_in.shown(set.offers(), part.of(set)));
        if !part.is_spoken() {
            offers.retain(|offer| offer.id != BUILT_IN);
        }
        offers
    });
    let options = move || {
        let offers = offers.get_clone().into_iter().map(|offer| {
            let words = if offer.id.is_empty() {
                part.none()
            } else {
                name_of(&offer)
            };
            let value = offer.id.clone();
            let is_set = move || set.with(|set| part.of(set) == offer.id);
            view! { option(value=value, prop:selected=is_set) { (words) } }
        });
        offers.collect::<Vec<View>>()
    };
    let describes = format!("{id}-d");
    let described = describes.clone();
    view! {
        div(class="field") {
            label(r#for=id) { (label) }
            select(
                id=id,
                aria-describedby=described,
                on:change=handler(move |event: web_sys::Event| {
                    let id = Some(value(&event)).filter(|id| !id.is_empty());
                    page.change(part.change(id), told);
                }),
            ) { (options) }
            p(class="meta", id=describes) { (means) }
        }
    }
}
