//! Who goes on where a model cannot answer: an order that the person makes.

use super::page::Page;
use super::roles::name_of;
use super::told::{Told, told};
use crate::built_in::BuiltIn;
use crate::live::{handler, live, live_text};
use crate::words::{msg, msg_with};
use gloss::app::options::Change;
use gloss::app::preferences::Preferences;
use gloss::app::surface::Offer;
use gloss::model::BUILT_IN;
use sycamore::prelude::*;

/// What a button of a row does to it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Move {
    Up,
    Down,
    Out,
}

/// What the parts of the group share.
#[derive(Clone)]
struct Order {
    page: Page,
    set: ReadSignal<Preferences>,
    told: Signal<Told>,
    /// Where the last one that was moved is now.
    moved: Signal<String>,
}

/// The group: the order in a line, and its rows while it is changed.
pub(super) fn order() -> View {
    let page = Page::here();
    let order = Order {
        set: page.preferences(),
        page,
        told: create_signal(Told::Nothing),
        moved: create_signal(String::new()),
    };
    let changing = create_signal(false);
    let (set, moved) = (order.set, order.moved);
    let line = live_text(move || set.with(line));
    let label = msg("options_then");
    let region = label.clone();
    let button_words = live_text(move || {
        msg(if changing.get() {
            "options_order_done"
        } else {
            "options_reorder"
        })
    });
    let told = told(order.told);
    let moved = live_text(move || moved.get_clone());
    let rows = live(move || {
        if changing.get() {
            let (rows, spare) = (rows(&order), spare(&order));
            let region = region.clone();
            view! {
                ol(class="rows", aria-label=region) { (rows) }
                (spare)
            }
        } else {
            View::new()
        }
    });
    view! {
        div(class="field") {
            span(class="cap") { (label) }
            div {
                p(style="padding-top:.3125rem") {
                    (line)
                    " "
                    button(
                        r#type="button",
                        class="btn quiet tiny",
                        aria-expanded=move || if changing.get() { "true" } else { "false" },
                        on:click=handler(move |_| changing.set(!changing.get_untracked())),
                    ) { (button_words) }
                    (told)
                }
                (rows)
                p(class="sr", role="status") { (moved) }
            }
        }
    }
}

/// "1. Ollama at home, 2. OpenAI": who answers, then who goes on.
fn line(set: &Preferences) -> String {
    let main = set.answers.clone().unwrap_or_default();
    let rest = set.then.iter().filter(|id| **id != main);
    let ids: Vec<&String> = std::iter::once(&main).chain(rest).collect();
    if ids.len() == 1 {
        return msg("options_then_nobody");
    }
    let named = (1..).zip(ids).map(|(place, id): (usize, &String)| {
        let name = match set.profile(id) {
            Some(profile) => profile.name.clone(),
            None if id == BUILT_IN => msg("built_in"),
            None => msg("on_device"),
        };
        format!("{place}. {name}")
    });
    named.collect::<Vec<String>>().join(&msg("comma"))
}

fn rows(order: &Order) -> View {
    let order = order.clone();
    live(move || {
        let set = order.set.get_clone();
        let offers = set.offers();
        let in_order: Vec<Offer> = set
            .then
            .iter()
            .filter_map(|id| offers.iter().find(|offer| offer.id == *id).cloned())
            .collect();
        let count = in_order.len();
        let rows = in_order.iter().enumerate();
        rows.map(|(at, offer)| row(&order, offer, at, count))
            .collect::<Vec<View>>()
    })
}

fn row(order: &Order, offer: &Offer, at: usize, count: usize) -> View {
    let name = name_of(offer);
    let button = |way: Move| {
        let (words, named, off) = match way {
            Move::Up => ("options_up", "options_up_named", at == 0),
            Move::Down => ("options_down", "options_down_named", at + 1 == count),
            Move::Out => ("options_leave_out", "options_leave_out_named", false),
        };
        let (words, named) = (msg(words), msg_with(named, &[&name]));
        let (order, id, name) = (order.clone(), offer.id.clone(), name.clone());
        let element = id_of(way, &id);
        view! {
            button(
                r#type="button",
                class="btn tiny",
                id=element,
                aria-label=named,
                disabled=off,
                on:click=handler(move |_| order.shift(&id, &name, way)),
            ) { (words) }
        }
    };
    let (up, down, out) = (button(Move::Up), button(Move::Down), button(Move::Out));
    view! {
        li {
            div(class="grow") { (name) }
            div(class="row") { (up) (down) (out) }
        }
    }
}

/// Those that are not in the order yet.
fn spare(order: &Order) -> View {
    let (order, built_in) = (order.clone(), BuiltIn::here());
    live(move || {
        let set = order.set.get_clone();
        let offers = built_in.shown(set.offers(), "").into_iter();
        let spare = offers.filter(|offer| !set.then.contains(&offer.id));
        let buttons = spare.map(|offer| {
            let words = msg_with("options_add_named", &[&name_of(&offer)]);
            let order = order.clone();
            let add = move |_| {
                let mut then = order.set.with_untracked(|set| set.then.clone());
                // The device, which always answers, stays the last.
                let last = then.last().is_some_and(String::is_empty);
                then.insert(then.len() - usize::from(last), offer.id.clone());
                order.put(then, None);
            };
            view! {
                button(r#type="button", class="btn tiny", on:click=handler(add)) { (words) }
            }
        });
        let buttons: Vec<View> = buttons.collect();
        view! { div(class="row wrap", style="margin-top:.25rem") { (buttons) } }
    })
}

impl Order {
    fn shift(&self, id: &str, name: &str, way: Move) {
        let mut then = self.set.with_untracked(|set| set.then.clone());
        let Some(at) = then.iter().position(|own| own == id) else {
            return;
        };
        let to = match way {
            Move::Up => at.saturating_sub(1),
            Move::Down => (at + 1).min(then.len() - 1),
            Move::Out => {
                then.remove(at);
                self.moved.set(msg_with("options_left_out", &[name]));
                self.put(then, None);
                return;
            }
        };
        then.swap(at, to);
        let (place, count) = ((to + 1).to_string(), then.len().to_string());
        self.moved
            .set(msg_with("options_moved", &[name, &place, &count]));
        self.put(then, Some((id.to_owned(), way)));
    }

    /// Sets the order. The row that was moved is another node then: its button, or
    /// the other one where that has no further to go, takes the focus again.
    fn put(&self, then: Vec<String>, pressed: Option<(String, Move)>) {
        let told = self.told;
        let change = gloss::app::options::Ask::Change {
            change: Change::Then(then),
        };
        self.page.ask(change, move |outcome| {
            told.set(Told::of(outcome));
            if let Some((id, way)) = pressed {
                let other = if way == Move::Up {
                    Move::Down
                } else {
                    Move::Up
                };
                if !focus(&id_of(way, &id)) {
                    focus(&id_of(other, &id));
                }
            }
        });
    }
}

fn id_of(way: Move, id: &str) -> String {
    let way = match way {
        Move::Up => "up",
        Move::Down => "down",
        Move::Out => "out",
    };
    format!("{way}-{id}")
}

/// Whether it could take it.
fn focus(id: &str) -> bool {
    use wasm_bindgen::JsCast;
    let element = sycamore::web::document().get_element_by_id(id);
    let button = element.and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok());
    button.is_some_and(|button| !button.has_attribute("disabled") && button.focus().is_ok())
}
