//! Pictures and videos that a search found.
//!
//! Example: a search finds five photographs of a lighthouse. The page shows each with its
//! title and its site. A preview is loaded only when the user asks for it, because the preview's
//! server then learns about the user.

use crate::browser::{host_of, target};
use crate::prelude::*;
use crate::research::title;
use gloss::agent::Answer;
use gloss::rag::Card;
use wasm_bindgen::JsCast;

/// The pictures and videos of an answer; empty if no search looked for them.
pub(crate) fn cards(answer: &Answer) -> View {
    let cards = answer.research.iter().flat_map(|it| &it.cards);
    let cards: Vec<(&Card, Signal<bool>)> = cards.map(|it| (it, create_signal(false))).collect();
    if cards.is_empty() {
        return View::new();
    }
    let heading = counted(["cards_found_one", "cards_found_many"], cards.len() as u64);
    let previews = cards.iter().filter(|(card, _)| card.thumbnail.is_some());
    let all = show_all(previews.map(|(_, preview)| *preview).collect());
    let cards: Vec<_> = cards
        .into_iter()
        .map(|(card, preview)| shown(card, preview))
        .collect();
    tag(
        "section.cards",
        (tag("h3.label", heading), tag("ul", cards), all),
    )
    .into()
}

/// The button that loads all previews. It is shown only if there are several.
fn show_all(previews: Vec<Signal<bool>>) -> View {
    if previews.len() < 2 {
        return View::new();
    }
    let left = previews.clone();
    let is_left = create_selector(move || left.iter().any(|it| !it.get()));
    live(move || {
        let previews = previews.clone();
        is_left.get().then(|| {
            let button = tag("button.btn.quiet.tiny", msg("cards_show_all")).attr("type", "button");
            let button = button.on("click", move |event: web_sys::Event| {
                focus_on_link(&event, ".cards");
                for preview in previews.iter().filter(|it| !it.get_untracked()) {
                    preview.set(true);
                }
            });
            fragment((button, meta(msg("cards_means"))))
        })
    })
}

fn shown(card: &Card, preview: Signal<bool>) -> Tag {
    let link = link("a.clip", card.url.clone(), title(&card.title, &card.url)).attr("dir", "auto");
    let host = tag("span.meta.clip", host_of(&card.url));
    tag("li", (tag("div.box", picture(card, preview)), link, host))
}

/// The preview in a frame, or the button that loads the preview.
fn picture(card: &Card, preview: Signal<bool>) -> View {
    let title = title(&card.title, &card.url);
    let Some(address) = card.thumbnail.clone() else {
        return tag("span.meta", msg("card_no_preview")).into();
    };
    live(move || {
        if !preview.get() {
            return load_button(&title, &address, preview);
        }
        // The frame contains a page of its own, because no other page of Gloss may load anything
        // external. Without `credentialless`, a site that Gloss may read would receive the user's
        // cookies (measured: even same-site cookies are sent).
        let frame = tag("iframe", ())
            .attr("credentialless", "")
            .tip(title.clone());
        frame.attr("src", framed(&address, &title))
    })
}

/// The button that loads a preview. Its name contains the title, and the server that learns about
/// the user.
fn load_button(title: &str, address: &str, preview: Signal<bool>) -> Tag {
    let name = msg_with("card_show_named", &[title, &host_of(address)]);
    let button = tag("button.btn.quiet.tiny", (icon("globe"), msg("card_show")));
    let button = button.attr("type", "button").name(name.clone()).tip(name);
    button.on("click", move |event: web_sys::Event| {
        focus_on_link(&event, "li");
        preview.set(true);
    })
}

/// Focuses the first link inside `around`, because the pressed button is about to be removed.
fn focus_on_link(event: &web_sys::Event, around: &str) {
    let around = target(event).and_then(|it| it.closest(around).ok().flatten());
    let link = around.and_then(|it| it.query_selector("a").ok().flatten());
    if let Some(link) = link.and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok()) {
        // The call doesn't fail for an element on the page.
        let _ = link.focus();
    }
}

/// Returns the address of `www/picture.html`, the page that shows a preview, with the preview's
/// address and title.
fn framed(address: &str, title: &str) -> String {
    let shown = serde_json::json!([address, title]).to_string();
    format!("picture.html#{}", js_sys::encode_uri_component(&shown))
}
