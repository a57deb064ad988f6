//! A reference to a passage: ¶ 14, as a note in the margin.

use crate::blocks::Words;
use crate::chrome;
use crate::surface::Surface;
use crate::tabs::object;
use crate::words::{msg, msg_with};
use sycamore::prelude::*;
use wasm_bindgen::JsValue;

/// The reference. While the answer grows it is a number that leads nowhere yet,
/// of the same width; in a whole answer, one that names no passage says so.
pub(crate) fn cite(said: &Words, passage: &str) -> View {
    match (said.citation(passage), said.is_whole()) {
        (Some(citation), _) => {
            let number = citation.paragraph.to_string();
            let label = msg_with("passage_in_paragraph", &[&number]);
            let mark = format!("¶\u{a0}{number}");
            let (url, quote) = (citation.url.clone(), citation.quote.clone());
            let target = url.clone();
            let surface = Surface::here();
            view! {
                a(
                    class="ref",
                    href=url,
                    target="_blank",
                    rel="noopener",
                    title=quote,
                    aria-label=label,
                    on:click=move |event: web_sys::MouseEvent| {
                        let plain = !(event.ctrl_key() || event.meta_key() || event.shift_key());
                        if let Some(tab) = surface.connection().tab().filter(|_| plain) {
                            event.prevent_default();
                            show(tab, &target);
                        }
                    },
                ) { (mark) }
            }
        }
        (None, false) => {
            let mark = format!("¶\u{a0}{}", paragraph_of(passage));
            view! { span(class="ref") { (mark) } }
        }
        (None, true) => {
            let mark = format!("¶\u{a0}{}?", paragraph_of(passage));
            let no_such_passage_tip = msg("no_such_passage");
            let no_such_passage_word = msg("no_such_passage");
            view! {
                span(class="cite unverified", title=no_such_passage_tip) {
                    (mark)
                    span(class="sr") { (no_such_passage_word) }
                }
            }
        }
    }
}

/// Shows the passage in the tab that the surface stands beside.
fn show(tab: i32, url: &str) {
    let changes = object(&[("url", JsValue::from_str(url))]);
    let updated = wasm_bindgen_futures::JsFuture::from(chrome::update_tab(tab, &changes));
    wasm_bindgen_futures::spawn_local(async move {
        // Fails only for a tab that was closed meanwhile.
        let _ = updated.await;
    });
}

fn paragraph_of(passage: &str) -> String {
    let numbers = passage.trim_start_matches('p');
    numbers.split('.').next().unwrap_or(numbers).to_owned()
}
