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

/// A small picture, as far as the person has asked for it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Preview {
    Unasked,
    Asked,
    /// Who was to serve it did not.
    Failed,
}

/// What was found to be looked at; nothing where no search was for it.
pub(crate) fn cards(answer: &Answer) -> View {
    let cards = answer.research.iter().flat_map(|it| &it.cards);
    let cards: Vec<(&Card, Signal<Preview>)> = cards
        .map(|card| (card, create_signal(Preview::Unasked)))
        .collect();
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
fn all(previews: Vec<Signal<Preview>>) -> View {
    if previews.len() < 2 {
        return View::new();
    }
    let (label, means) = (msg("cards_show_all"), msg("cards_means"));
    let unasked = previews.clone();
    let is_left = create_selector(move || unasked.iter().any(|it| it.get() == Preview::Unasked));
    let press = std::rc::Rc::new(move || {
        for preview in previews.iter().filter(|it| it.get() == Preview::Unasked) {
            preview.set(Preview::Asked);
        }
    });
    live(move || {
        let (label, means, press) = (label.clone(), means.clone(), press.clone());
        is_left.get().then(|| {
            view! {
                button(
                    r#type="button",
                    class="btn quiet tiny",
                    on:click=handler(move |_| press()),
                ) { (label) }
                p(class="meta") { (means) }
            }
        })
    })
}

fn shown(card: &Card, preview: Signal<Preview>) -> View {
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
fn picture(card: &Card, preview: Signal<Preview>) -> View {
    let title = title(card);
    let Some(address) = card.thumbnail.clone() else {
        let none = msg("card_no_preview");
        return view! { div(class="box") { span(class="meta") { (none) } } };
    };
    let shown = live(move || match preview.get() {
        Preview::Unasked => unasked(&title, &address, preview),
        Preview::Asked => {
            let (alt, source) = (title.clone(), address.clone());
            view! {
                img(
                    src=source,
                    alt=alt,
                    referrerpolicy="no-referrer",
                    on:error=handler(move |_| preview.set(Preview::Failed)),
                )
            }
        }
        Preview::Failed => {
            let words = msg("card_failed");
            view! { span(class="meta", role="status") { (words) } }
        }
    });
    view! { div(class="box") { (shown) } }
}

/// Names what it shows and who then learns of the reader.
fn unasked(title: &str, address: &str, preview: Signal<Preview>) -> View {
    let name = msg_with("card_show_named", &[title, &host_of(address)]);
    let (label, sign) = (msg("card_show"), icon("globe"));
    let tip = name.clone();
    view! {
        button(
            r#type="button",
            class="btn quiet tiny",
            aria-label=name,
            title=tip,
            on:click=handler(move |_| preview.set(Preview::Asked)),
        ) { (sign) (label) }
    }
}

fn title(card: &Card) -> String {
    if card.title.trim().is_empty() {
        host_of(&card.url)
    } else {
        card.title.clone()
    }
}
