//! Pictures and films that a search found.
//!
//! Driving example: five photographs of a lighthouse were found. Each stands with its title and
//! its site; its small picture is loaded once the person asks for it, as whoever serves it then
//! learns of the reader (DETAILS §4).

use crate::browser::host_of;
use crate::icon::icon;
use crate::live::{handler, live};
use crate::words::{counted, msg, msg_with};
use gloss::agent::Answer;
use gloss::rag::Card;
use sycamore::prelude::*;
use wasm_bindgen::JsCast;

/// What was found to be looked at; nothing where no search was for it.
pub(crate) fn cards(answer: &Answer) -> View {
    let cards = answer.research.iter().flat_map(|it| &it.cards);
    let cards: Vec<(&Card, Signal<bool>)> =
        cards.map(|card| (card, create_signal(false))).collect();
    if cards.is_empty() {
        return View::new();
    }
    let title = counted(["cards_found_one", "cards_found_many"], cards.len() as u64);
    let previews = cards.iter().filter(|(card, _)| card.thumbnail.is_some());
    let all = all(previews.map(|(_, preview)| *preview).collect());
    let cards: Vec<View> = cards
        .into_iter()
        .map(|(card, preview)| shown(card, preview))
        .collect();
    view! {
        section(class="cards") {
            h3(class="label") { (title) }
            ul { (cards) }
            (all)
        }
    }
}

/// One press for all, where there are several.
fn all(previews: Vec<Signal<bool>>) -> View {
    if previews.len() < 2 {
        return View::new();
    }
    let (label, means) = (msg("cards_show_all"), msg("cards_means"));
    let unasked = previews.clone();
    let is_left = create_selector(move || unasked.iter().any(|it| !it.get()));
    let press = std::rc::Rc::new(move || {
        for preview in previews.iter().filter(|it| !it.get()) {
            preview.set(true);
        }
    });
    live(move || {
        let (label, means, press) = (label.clone(), means.clone(), press.clone());
        is_left.get().then(|| {
            view! {
                button(
                    r#type="button",
                    class="btn quiet tiny",
                    on:click=handler(move |event: web_sys::MouseEvent| {
                        focus_on_link(&event, ".cards");
                        press();
                    }),
                ) { (label) }
                p(class="meta") { (means) }
            }
        })
    })
}

fn shown(card: &Card, preview: Signal<bool>) -> View {
    let (title, host, url) = (title(card), host_of(&card.url), card.url.clone());
    let picture = picture(card, preview);
    view! {
        li {
            (picture)
            a(class="clip", href=url, target="_blank", rel="noopener", dir="auto") { (title) }
            span(class="meta clip") { (host) }
        }
    }
}

/// The box that the small picture has, before it comes as well.
fn picture(card: &Card, preview: Signal<bool>) -> View {
    let title = title(card);
    let Some(address) = card.thumbnail.clone() else {
        let none = msg("card_no_preview");
        return view! { div(class="box") { span(class="meta") { (none) } } };
    };
    let shown = live(move || {
        if !preview.get() {
            return unasked(&title, &address, preview);
        }
        // No page of ours that holds more may load what is elsewhere; without it, a site that Gloss may
        // read would be told who asks (measured: even cookies of the same site alone go along).
        let (source, title) = (framed(&address, &title), title.clone());
        view! { iframe(src=source, title=title, "credentialless"="") {} }
    });
    view! { div(class="box") { (shown) } }
}

/// Names what it shows and who then learns of the reader.
fn unasked(title: &str, address: &str, preview: Signal<bool>) -> View {
    let name = msg_with("card_show_named", &[title, &host_of(address)]);
    let (label, sign) = (msg("card_show"), icon("globe"));
    let tip = name.clone();
    view! {
        button(
            r#type="button",
            class="btn quiet tiny",
            aria-label=name,
            title=tip,
            on:click=handler(move |event: web_sys::MouseEvent| {
                focus_on_link(&event, "li");
                preview.set(true);
            }),
        ) { (sign) (label) }
    }
}

/// The button goes: the first link around it takes the focus.
fn focus_on_link(event: &web_sys::Event, around: &str) {
    let button = event.current_target();
    let button = button.and_then(|it| it.dyn_into::<web_sys::Element>().ok());
    let around = button.and_then(|it| it.closest(around).ok().flatten());
    let link = around.and_then(|it| it.query_selector("a").ok().flatten());
    if let Some(link) = link.and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok()) {
        // Fails for no element that is there.
        let _ = link.focus();
    }
}

/// The page that shows it (`www/picture.html`), with what it is to show.
fn framed(address: &str, title: &str) -> String {
    let shown = serde_json::json!([address, title]).to_string();
    format!("picture.html#{}", js_sys::encode_uri_component(&shown))
}

fn title(card: &Card) -> String {
    if card.title.trim().is_empty() {
        host_of(&card.url)
    } else {
        card.title.clone()
    }
}
