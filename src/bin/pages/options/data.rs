//! What is stored, a copy of the settings, and the way to be rid of it all.

use super::browser::{picked_text, stored_bytes};
use super::erase::erase;
use super::page::Page;
use super::told::{Told, told};
use super::unreadable::{asked, unreadable};
use crate::icon::icon;
use crate::live::{handler, live, live_text};
use crate::save::save_as;
use crate::words::{msg, msg_with};
use gloss::app::options::{Ask, Outcome};
use gloss::app::preferences::FieldName;
use sycamore::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;

/// What the file is called.
const FILE: &str = "gloss-settings.json";

/// The section.
pub(crate) fn data() -> View {
    let state = Page::here().state;
    let bytes = create_signal(0);
    create_effect(move || {
        state.track();
        spawn_local(async move {
            let stored = stored_bytes().await;
            if bytes.is_alive() {
                bytes.set(stored);
            }
        });
    });
    let (name, copies) = (msg("options_data"), msg("options_copies"));
    let stored = live_text(move || msg_with("options_stored", &[&size(bytes.get())]));
    let copy = copy();
    let damaged = asked();
    let unreadable = unreadable(damaged);
    let erase = erase(damaged);
    view! {
        section(class="sect", id="data", aria-labelledby="data-h") {
            h2(id="data-h") { (name) }
            p(class="num") { (stored) }
            h3 { (copies) }
            ul(class="rows") {
                (copy)
                (unreadable)
            }
            (erase)
        }
    }
}

/// As in 34 KB, 3.4 MB.
pub(super) fn size(bytes: u64) -> String {
    let kilobytes = bytes.div_ceil(1_000);
    if kilobytes < 1_000 {
        return format!("{kilobytes}\u{a0}KB");
    }
    let tenths = bytes / 100_000;
    format!("{}.{}\u{a0}MB", tenths / 10, tenths % 10)
}

fn copy() -> View {
    let page = Page::here();
    let result = create_signal(Told::Nothing);
    let input = create_node_ref();
    let wrong = create_selector(move || result.with(|told| told.at(FieldName::File)));
    let exporting = page.clone();
    let chosen = move |event: web_sys::Event| {
        let (page, text) = (page.clone(), picked_text(&event));
        spawn_local(async move {
            if let Some(text) = text.await {
                page.ask(Ask::Import { text }, move |it| result.set(Told::of(it)));
            }
        });
    };
    let [settings, without, import, export] = [
        msg("options_settings_copy"),
        msg("options_without_keys"),
        msg("options_import"),
        msg("options_export"),
    ];
    let file_name = msg("options_import_file");
    let wrong = live(move || {
        wrong.get_clone().map(|words| {
            let sign = icon("alert");
            view! {
                span(class="danger-text") { (sign) (words) }
            }
        })
    });
    let told = told(result);
    view! {
        li {
            div(class="grow") {
                (settings)
                p { (without) }
                p(role="status") {
                    (wrong)
                    (told)
                }
            }
            div(class="row") {
                input(
                    r#type="file",
                    accept=".json,application/json",
                    hidden=true,
                    aria-label=file_name,
                    r#ref=input,
                    on:change=handler(chosen),
                )
                button(r#type="button", class="btn", on:click=handler(move |_| {
                    if let Some(input) = input.try_get().and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok()) {
                        input.click();
                    }
                })) { (import) }
                button(r#type="button", class="btn", on:click=handler(move |_| {
                    exporting.ask(Ask::Export, move |outcome| match outcome {
                        Outcome::Exported { text } => save_as(FILE, &text),
                        other => result.set(Told::of(other)),
                    });
                })) { (export) }
            }
        }
    }
}
