//! Which keys do what: Chrome's own, and those of the chat page.

use super::browser::{Shortcut, open_shortcuts, shortcuts as of_chrome};
use crate::live::{handler, live};
use crate::words::{msg, msg_of};
use sycamore::prelude::*;
use wasm_bindgen_futures::spawn_local;

/// What it does, its keys, and where.
const OURS: [(&str, &str, &str); 3] = [
    ("msg:send", "msg:key_enter", "msg:message"),
    ("msg:options_new_line", "msg:key_shift_enter", "msg:message"),
    ("msg:options_stop_key", "msg:key_escape", "msg:options_chat"),
];

/// The section.
pub(crate) fn shortcuts() -> View {
    let chrome = create_signal(Vec::new());
    spawn_local(async move {
        let commands = of_chrome().await;
        if chrome.is_alive() {
            chrome.set(commands);
        }
    });
    let (name, anywhere, change) = (
        msg("options_shortcuts"),
        msg("options_anywhere"),
        msg("options_change_shortcuts"),
    );
    let [does, keys, place] = [
        msg("options_does"),
        msg("options_keys"),
        msg("options_where"),
    ];
    let region = name.clone();
    let ours: Vec<View> = OURS
        .into_iter()
        .map(|(does, keys, place)| row(msg_of(does), &msg_of(keys), msg_of(place)))
        .collect();
    let chrome = live(move || {
        chrome
            .get_clone()
            .into_iter()
            .map(|Shortcut { does, keys }| row(does, &keys, anywhere.clone()))
            .collect::<Vec<View>>()
    });
    view! {
        section(class="sect", id="shortcuts", aria-labelledby="shortcuts-h") {
            h2(id="shortcuts-h") { (name) }
            div(class="scroll-x", tabindex="0", role="group", aria-label=region, style="margin-top:.75rem") {
                table {
                    thead { tr {
                        th(scope="col") { (does) }
                        th(scope="col") { (keys) }
                        th(scope="col") { (place) }
                    } }
                    tbody {
                        (chrome)
                        (ours)
                    }
                }
            }
            p(style="margin-top:.5rem") {
                button(r#type="button", class="btn", on:click=handler(move |_| open_shortcuts())) { (change) }
            }
        }
    }
}

fn row(does: String, keys: &str, place: String) -> View {
    let keys = if keys.is_empty() {
        let none = msg("options_no_key");
        view! { span(class="meta") { (none) } }
    } else {
        let keys = keys.replace('+', " ");
        view! { kbd { (keys) } }
    };
    view! { tr { td { (does) } td { (keys) } td { (place) } } }
}
